package io.ratelimit.core;

import io.ratelimit.Decision;
import io.ratelimit.RateLimitListener;
import io.ratelimit.RateLimiter;
import io.ratelimit.RequestContext;
import io.ratelimit.core.match.RequestCharges;
import io.ratelimit.core.match.RuleCharge;
import io.ratelimit.core.match.RulesCache;
import io.ratelimit.store.BucketStore;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Decides by rules and buckets: finds the rules that apply, builds the client's key for each, spends all charges or
 * none. Thread-safe. Nothing it does throws, but for calls that are wrong in themselves, where the method says so.
 */
public final class TokenBucketRateLimiter implements RateLimiter {

    private final RulesCache rules;
    private final ChargeLedger ledger;
    private final RateLimitListener listener;
    private final FaultLog faults;
    private final UnidentifiedRules unidentified;

    /**
     * Makes a limiter.
     *
     * @param rules the rules in force
     * @param buckets where buckets live; its stages must complete within the timeout that they are given
     * @param listener hears each decision; does not throw
     * @param faults hears of faults of the limiter itself
     */
    public TokenBucketRateLimiter(RulesCache rules, BucketStore buckets, RateLimitListener listener, FaultLog faults) {
        this.rules = rules;
        this.ledger = new ChargeLedger(buckets, listener);
        this.listener = listener;
        this.faults = faults;
        this.unidentified = new UnidentifiedRules(listener);
    }

    @Override
    public Decision decide(RequestContext context) {
        return ask(context).toCompletableFuture().join();
    }

    @Override
    public CompletionStage<Decision> decideAsync(RequestContext context) {
        CompletableFuture<Decision> decision = ask(context).toCompletableFuture();
        // What the application does next may take its time, and a store's own threads must not wait for it.
        return decision.isDone() ? decision : decision.thenApplyAsync(made -> made);
    }

    private CompletionStage<Decision> ask(RequestContext context) {
        return guarded(context, () -> ledger.spend(chargesFor(context)));
    }

    /**
     * Decides one request that does several operations at once: the charges of all are spent, or none.
     *
     * @param views the request once for each operation, with the cost that the application names for it; a rule that
     *     several lead to is charged once, the highest cost
     * @return the decision
     * @throws IllegalArgumentException if there is no view
     */
    public Decision decideAll(List<RequestContext> views) {
        return guarded(first(views), () -> ledger.spend(chargesFor(views)))
                .toCompletableFuture()
                .join();
    }

    /**
     * Decides again once more is known of a request that was allowed: its operation, or what it costs by the
     * application's own word. What was charged stays charged; rules that apply only now are charged in full, those that
     * were charged before the difference. If one of them refuses, all that the request was charged is given back.
     *
     * @param earlier the decision of this limiter that let the request pass
     * @param context the same request with what is known now
     * @return the decision that stands for the request as a whole
     */
    public Decision extend(Decision earlier, RequestContext context) {
        return extendAll(earlier, List.of(context));
    }

    /**
     * The same as {@link #extend(Decision, RequestContext)} for a request that does several operations at once.
     *
     * @param earlier the decision of this limiter that let the request pass
     * @param views the request once for each operation, with the cost that the application names for it; a rule that
     *     several lead to is charged once, the highest cost
     * @return the decision that stands for the request as a whole
     * @throws IllegalArgumentException if there is no view
     */
    public Decision extendAll(Decision earlier, List<RequestContext> views) {
        return guarded(first(views), () -> extend(earlier, views))
                .toCompletableFuture()
                .join();
    }

    /** Where the rules cannot be asked, what was decided before stands, and whoever settles that settles the request. */
    private CompletionStage<EngineDecision> extend(Decision earlier, List<RequestContext> views) {
        EngineDecision made = (EngineDecision) earlier;
        try {
            return ledger.extend(made, chargesFor(views));
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            if (!made.isOpen()) {
                throw e;
            }
            broken(e);
            return CompletableFuture.completedFuture(made);
        }
    }

    /**
     * Gives back what an allowed request was charged, unless it was settled before.
     *
     * @param decision a decision of this limiter; for another, nothing happens
     * @return the decision that stands for the request then: no limit applies
     */
    public Decision refund(Decision decision) {
        if (decision instanceof EngineDecision made) {
            made.settlement().refund();
        }
        return EngineDecision.NO_LIMIT;
    }

    private static RequestContext first(List<RequestContext> views) {
        if (views.isEmpty()) {
            throw new IllegalArgumentException("a request is seen at least once");
        }
        return views.get(0);
    }

    private List<RuleCharge> chargesFor(RequestContext context) {
        RequestCharges found = rules.current().chargesFor(context);
        found.unidentified().forEach(unidentified::report);
        return found.charges();
    }

    private Collection<RuleCharge> chargesFor(List<RequestContext> views) {
        if (views.size() == 1) {
            return chargesFor(views.get(0));
        }
        Map<String, RuleCharge> highest = new LinkedHashMap<>();
        for (RequestContext view : views) {
            for (RuleCharge charge : chargesFor(view)) {
                highest.merge(
                        charge.charge().bucket().name(),
                        charge,
                        (one, other) -> other.charge().cost() > one.charge().cost() ? other : one);
            }
        }
        return highest.values();
    }

    private interface Deciding {
        CompletionStage<EngineDecision> decide();
    }

    /**
     * Whatever fails in the limiter, the request passes: a fault of ours, a class path of which a part is missing, input
     * that nests deeper than the stack. Other errors are the virtual machine's, and not ours to hide.
     */
    private CompletionStage<Decision> guarded(RequestContext context, Deciding deciding) {
        CompletionStage<EngineDecision> decision;
        try {
            decision = deciding.decide();
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            decision = CompletableFuture.failedFuture(e);
        }
        return decision.handle((made, failure) -> {
            EngineDecision answer = failure == null ? made : broken(failure);
            listener.onDecision(context, answer);
            return answer;
        });
    }

    private EngineDecision broken(Throwable failure) {
        faults.report("The limiter failed, the request passes", failure);
        listener.onFailure("internal", failure);
        return EngineDecision.BROKEN;
    }
}
