package io.ratelimit.core;

import io.ratelimit.Decision;
import io.ratelimit.RateLimitListener;
import io.ratelimit.RateLimiter;
import io.ratelimit.RequestContext;
import io.ratelimit.core.match.RequestCharges;
import io.ratelimit.core.match.RuleCharge;
import io.ratelimit.core.match.RulesCache;
import io.ratelimit.rules.Rule;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides by rules and buckets: finds the rules that apply, builds the client's key for each, spends all charges or
 * none. Thread-safe; nothing it does throws.
 */
public final class TokenBucketRateLimiter implements RateLimiter {

    private static final Logger LOG = LoggerFactory.getLogger(TokenBucketRateLimiter.class);

    private final RulesCache rules;
    private final BucketStore buckets;
    private final RateLimitListener listener;
    private final Set<String> unidentifiedReported = ConcurrentHashMap.newKeySet();

    /**
     * Makes a limiter.
     *
     * @param rules the rules in force
     * @param buckets where buckets live; its stages must complete within the timeout that they are given
     * @param listener hears each decision
     */
    public TokenBucketRateLimiter(RulesCache rules, BucketStore buckets, RateLimitListener listener) {
        this.rules = rules;
        this.buckets = buckets;
        this.listener = listener;
    }

    @Override
    public Decision decide(RequestContext context) {
        return decideAsync(context).toCompletableFuture().join();
    }

    @Override
    public CompletionStage<Decision> decideAsync(RequestContext context) {
        return guarded(context, () -> spend(chargesFor(context)));
    }

    /**
     * Decides one request that does several operations at once: the charges of all are spent, or none.
     *
     * @param views the request once for each operation, with the cost that the application names for it; a rule that
     *     several lead to is charged once, the highest cost
     * @return the decision
     * @throws IllegalArgumentException if there is no view
     */
    public Decision decide(List<RequestContext> views) {
        return guarded(first(views), () -> spend(chargesFor(views)))
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
        return extend(earlier, List.of(context));
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
    public Decision extend(Decision earlier, List<RequestContext> views) {
        return guarded(first(views), () -> extend((EngineDecision) earlier, chargesFor(views)))
                .toCompletableFuture()
                .join();
    }

    /**
     * Gives back what an allowed request was charged. To be called at most once for a request.
     *
     * @param decision a decision of this limiter
     * @return the decision that stands for the request then: no limit applies
     */
    public Decision refund(Decision decision) {
        for (EngineDecision.Spent spent : ((EngineDecision) decision).spent()) {
            refund(spent, spent.tokens());
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
        found.unidentified().forEach(this::reportUnidentified);
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

    private CompletionStage<EngineDecision> spend(Collection<RuleCharge> found) {
        if (found.isEmpty()) {
            return CompletableFuture.completedFuture(EngineDecision.NO_LIMIT);
        }
        List<RuleCharge> charges = List.copyOf(found);
        List<Charge> asked = charges.stream().map(RuleCharge::charge).toList();
        return buckets.spend(asked, timeoutOf(asked)).thenApply(outcome -> EngineDecision.of(charges, outcome));
    }

    private CompletionStage<EngineDecision> extend(EngineDecision earlier, Collection<RuleCharge> charges) {
        if (charges.isEmpty()) {
            refund(earlier);
            return CompletableFuture.completedFuture(EngineDecision.NO_LIMIT);
        }
        List<RuleCharge> missing = new ArrayList<>();
        for (RuleCharge charge : charges) {
            ChargeOutcome before = earlier.outcomeFor(charge);
            long due = charge.charge().cost() - earlier.paidFor(charge);
            if (before == null) {
                missing.add(charge);
            } else if (due > 0) {
                missing.add(new RuleCharge(
                        charge.rule(),
                        new Charge(before.charge().client(), charge.charge().bucket(), due)));
            }
        }
        if (missing.isEmpty()) {
            return CompletableFuture.completedFuture(earlier.withSpent(giveBackDifference(earlier, charges)));
        }
        return spend(missing).thenApply(added -> combine(earlier, charges, added));
    }

    private EngineDecision combine(EngineDecision earlier, Collection<RuleCharge> charges, EngineDecision added) {
        if (!added.allowed()) {
            refund(earlier);
            return added;
        }
        List<EngineDecision.Spent> spent = giveBackDifference(earlier, charges);
        spent.addAll(added.spent());
        List<RuleCharge> all = new ArrayList<>(earlier.charges());
        List<ChargeOutcome> outcomes = new ArrayList<>(earlier.outcome().charges());
        for (int i = 0; i < added.charges().size(); i++) {
            RuleCharge charge = added.charges().get(i);
            ChargeOutcome outcome = added.outcome().charges().get(i);
            ChargeOutcome before = earlier.outcomeFor(charge);
            if (before == null) {
                all.add(charge);
                outcomes.add(outcome);
            } else {
                outcomes.set(outcomes.indexOf(before), outcome);
            }
        }
        boolean degraded = earlier.outcome().degraded() || added.outcome().degraded();
        return EngineDecision.of(all, new SpendOutcome(true, degraded, outcomes))
                .withSpent(spent);
    }

    /**
     * A request that costs less than it was charged gets the rest back.
     *
     * @return what it has paid then
     */
    private List<EngineDecision.Spent> giveBackDifference(EngineDecision earlier, Collection<RuleCharge> charges) {
        List<EngineDecision.Spent> account = new ArrayList<>(earlier.spent());
        for (RuleCharge charge : charges) {
            long excess = earlier.paidFor(charge) - charge.charge().cost();
            for (int i = 0; i < account.size() && excess > 0; i++) {
                EngineDecision.Spent spent = account.get(i);
                if (EngineDecision.sameBucket(spent.charge(), charge)) {
                    long back = Math.min(excess, spent.tokens());
                    refund(spent, back);
                    account.set(i, spent.less(back));
                    excess -= back;
                }
            }
        }
        return account;
    }

    private void refund(EngineDecision.Spent spent, long tokens) {
        Receipt receipt = spent.receipt();
        if (receipt != null && tokens > 0) {
            buckets.refund(receipt, tokens).whenComplete((done, failure) -> {
                if (failure != null) {
                    tell(() -> listener.onFailure("store-error", failure));
                }
            });
        }
    }

    private interface Deciding {
        CompletionStage<EngineDecision> decide();
    }

    /** Whatever fails in the limiter, the request passes. */
    private CompletionStage<Decision> guarded(RequestContext context, Deciding deciding) {
        CompletionStage<EngineDecision> decision;
        try {
            decision = deciding.decide();
        } catch (RuntimeException | StackOverflowError e) {
            decision = CompletableFuture.failedFuture(e);
        }
        return decision.handle((made, failure) -> {
            EngineDecision answer = failure == null ? made : broken(failure);
            tell(() -> listener.onDecision(context, answer));
            return answer;
        });
    }

    private EngineDecision broken(Throwable failure) {
        LOG.error("The limiter failed, the request passes", failure);
        tell(() -> listener.onFailure("internal", failure));
        return EngineDecision.BROKEN;
    }

    private void reportUnidentified(Rule rule) {
        if (unidentifiedReported.add(rule.name())) {
            LOG.warn(
                    "Rule '{}' does not apply to requests without what its key {} is built from; this is reported once",
                    rule.name(),
                    rule.key());
        }
        tell(() -> listener.onFailure(
                "identity-missing", new IllegalArgumentException("no key for rule '" + rule.name() + "'")));
    }

    private static void tell(Runnable news) {
        try {
            news.run();
        } catch (RuntimeException e) {
            LOG.error("A listener failed", e);
        }
    }

    private static Duration timeoutOf(List<Charge> charges) {
        return charges.stream()
                .map(charge -> charge.bucket().policy().storeTimeout())
                .filter(Objects::nonNull)
                .min(Duration::compareTo)
                .orElseThrow();
    }
}
