package io.ratelimit.core;

import io.ratelimit.Decision;
import io.ratelimit.RateLimitListener;
import io.ratelimit.RateLimiter;
import io.ratelimit.RequestContext;
import io.ratelimit.core.bucket.DirectSpending;
import io.ratelimit.core.extension.ExtensionFaults;
import io.ratelimit.core.match.CompiledRule;
import io.ratelimit.core.match.CompiledRules;
import io.ratelimit.core.match.DirectClient;
import io.ratelimit.core.match.DirectRule;
import io.ratelimit.core.match.RequestCharges;
import io.ratelimit.core.match.RuleCharge;
import io.ratelimit.core.match.RulesCache;
import io.ratelimit.core.queue.Turn;
import io.ratelimit.core.queue.WaitingLines;
import io.ratelimit.core.report.RecordedRequest;
import io.ratelimit.rules.Rule;
import io.ratelimit.store.BucketStore;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.LongBinaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides by rules and buckets: finds the rules that apply, builds the client's key for each, spends all charges or
 * none. Thread-safe. Nothing it does throws, but for calls that are wrong in themselves, where the method says so.
 */
public final class TokenBucketRateLimiter implements RateLimiter {

    private final RulesCache rules;
    private final ChargeLedger ledger;
    private final DecisionWatch watch;
    private final FaultLog faults;
    private final Executor answers;
    private final UnidentifiedRules unidentified;
    private final DirectRule.LongWay longWay = new UnheardCharges();

    /**
     * Makes a limiter.
     *
     * @param rules the rules in force
     * @param buckets where buckets live; its stages must complete within the timeout that they are given
     * @param listener hears each decision; does not throw
     * @param faults hears of faults of the limiter itself
     */
    public TokenBucketRateLimiter(RulesCache rules, BucketStore buckets, RateLimitListener listener, FaultLog faults) {
        this(rules, buckets, DecisionWatch.of(listener, true), faults);
    }

    TokenBucketRateLimiter(RulesCache rules, BucketStore buckets, DecisionWatch watch, FaultLog faults) {
        this(rules, buckets, watch, faults, ForkJoinPool.commonPool());
    }

    /**
     * Makes a limiter.
     *
     * @param watch hears of decisions
     * @param answers where the application goes on with a decision that it did not wait for
     */
    TokenBucketRateLimiter(
            RulesCache rules, BucketStore buckets, DecisionWatch watch, FaultLog faults, Executor answers) {
        this.rules = rules;
        this.answers = answers;
        this.ledger = new ChargeLedger(buckets, watch);
        this.watch = watch;
        this.faults = faults;
        this.unidentified = new UnidentifiedRules(watch.listener());
    }

    /** Makes no decision where one rule alone applies and nobody hears of it, and allocates nothing then. */
    @Override
    public boolean allowRequest(RequestContext context) {
        if (watch.isHeard()) {
            return RateLimiter.super.allowRequest(context);
        }
        Decision decision;
        try {
            CompiledRules current = rules.current();
            RequestContext request = current.prepare(context);
            List<CompiledRule> applying = current.matching(request);
            if (applying.isEmpty()) {
                return true;
            }
            DirectRule direct = directOf(applying, request);
            if (direct != null) {
                boolean allowed = direct.allows(request, current.costOf(request), longWay);
                if (!allowed) {
                    watch.refused(context, direct.limits().rule());
                }
                return allowed;
            }
            decision = ask(context, current, request, applying).join();
        } catch (Throwable e) {
            decision = tell(context, broken(e));
        }
        return passes(decision);
    }

    private static boolean passes(Decision decision) {
        if (decision.mustBeSettled()) {
            decision.settlement().refund();
            throw new IllegalStateException("a rule charges by the response or counts requests that are under way: ask"
                    + " decide() and settle the decision when the request is over");
        }
        return decision.allowed();
    }

    @Override
    public Decision decide(RequestContext context) {
        return ask(context).join();
    }

    @Override
    public CompletionStage<Decision> decideAsync(RequestContext context) {
        return onAnswers(ask(context));
    }

    /** What the application does next may take its time, and a store's own threads must not wait for it. */
    private <T> CompletableFuture<T> onAnswers(CompletableFuture<T> decision) {
        return decision.isDone() ? decision : decision.thenApplyAsync(made -> made, answers);
    }

    private CompletableFuture<Decision> ask(RequestContext context) {
        return watch.timer().timesNext() ? watch.timer().time(() -> askNow(context)) : askNow(context);
    }

    private CompletableFuture<Decision> askNow(RequestContext context) {
        try {
            CompiledRules current = rules.current();
            RequestContext request = current.prepare(context);
            return ask(context, current, request, current.matching(request));
        } catch (Throwable e) {
            return CompletableFuture.completedFuture(tell(context, broken(e)));
        }
    }

    /**
     * Decides a request.
     *
     * @param context the request as it came
     * @param request the same, prepared for the rules
     * @param applying those of the rules that apply
     */
    private CompletableFuture<Decision> ask(
            RequestContext context, CompiledRules current, RequestContext request, List<CompiledRule> applying) {
        if (applying.isEmpty()) {
            return CompletableFuture.completedFuture(tell(context, EngineDecision.NO_LIMIT));
        }
        DirectRule direct = directOf(applying, request);
        if (direct == null) {
            return spend(context, () -> reported(current.chargesFor(applying, request)));
        }
        DirectClient client = direct.clientOf(request);
        if (client == null) {
            unidentified.report(direct.limits().rule());
            return CompletableFuture.completedFuture(tell(context, EngineDecision.NO_LIMIT));
        }
        long cost = current.costOf(request);
        DirectSpending spending = direct.spend(client, cost);
        return spending == null
                ? spend(context, () -> List.of(direct.chargeOf(client, cost)))
                : CompletableFuture.completedFuture(
                        tell(context, new DirectDecision(ledger, direct.limits(), spending)));
    }

    /** The way to the buckets of the one rule that applies; null where several do, or the store must be asked. */
    private static @Nullable DirectRule directOf(List<CompiledRule> applying, RequestContext request) {
        return applying.size() == 1 ? applying.get(0).directFor(request) : null;
    }

    private CompletableFuture<Decision> spend(RequestContext context, Supplier<List<RuleCharge>> charges) {
        return guarded(context, () -> ledger.spend(charges.get())).toCompletableFuture();
    }

    /** Of requests whose decision nobody hears of. */
    private final class UnheardCharges implements DirectRule.LongWay {

        @Override
        public boolean allows(RuleCharge charge) {
            try {
                return ledger.spend(List.of(charge))
                        .toCompletableFuture()
                        .join()
                        .allowed();
            } catch (CompletionException e) {
                return broken(e).allowed();
            }
        }

        @Override
        public void unidentified(Rule rule) {
            unidentified.report(rule);
        }
    }

    private Decision tell(RequestContext context, Decision decision) {
        return watch.decided(context, watch.look(context, decision), decision);
    }

    /** Decides a request that can wait for its turn, where a rule lets it. */
    Turn decideInTurn(RequestContext context, WaitingLines lines) {
        return watch.timer().timesNext()
                ? watch.timer().timeCall(() -> decideInTurnNow(context, lines))
                : decideInTurnNow(context, lines);
    }

    private Turn decideInTurnNow(RequestContext context, WaitingLines lines) {
        try {
            CompiledRules current = rules.current();
            RequestContext request = current.prepare(context);
            List<CompiledRule> applying = current.matching(request);
            if (applying.stream().noneMatch(CompiledRule::mayQueue)) {
                return Turn.now(ask(context, current, request, applying).join());
            }
            Turn turn = new QueueingLedger(ledger, lines).spend(reported(current.chargesFor(applying, request)));
            tell(context, turn.decision());
            return turn;
        } catch (Throwable e) {
            return Turn.now(tell(context, broken(e)));
        }
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
     * Looks what would be decided. Charges nothing, and tells neither listener nor log.
     *
     * @param context the request
     * @return a stage that always completes normally
     */
    public CompletionStage<Decision> lookAsync(RequestContext context) {
        CompletableFuture<EngineDecision> looked =
                begun(() -> ledger.look(rules.current().chargesFor(context).charges()));
        return onAnswers(looked.handle((made, failure) -> failure == null ? made : broken(failure)));
    }

    /**
     * Decides a request of several parts: all are charged, or none.
     *
     * @param request stands for the request towards listeners
     * @param parts the parts, whose charges may be those that {@link #chargesFor} finds
     * @param sameBucket what two parts that lead to the same bucket cost together
     * @return a stage that always completes normally
     */
    public CompletionStage<JointDecision> decideJointly(
            RequestContext request, List<JointPart> parts, LongBinaryOperator sameBucket) {
        CompletableFuture<JointDecision> decision = begun(() -> new JointLedger(ledger).spend(parts, sameBucket));
        RecordedRequest seen = watch.look(request, null);
        return onAnswers(decision.handle((made, failure) -> {
            JointDecision joint = failure == null
                    ? made
                    : new JointDecision(broken(failure), Collections.nCopies(parts.size(), EngineDecision.BROKEN));
            return new JointDecision(watch.decided(request, seen, joint.whole()), joint.parts());
        }));
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
        watch.forget(earlier);
        return guarded(first(views), () -> extend(earlier, views))
                .toCompletableFuture()
                .join();
    }

    /** Where the rules cannot be asked, what was decided before stands, and whoever settles that settles the request. */
    private CompletionStage<EngineDecision> extend(Decision earlier, List<RequestContext> views) {
        EngineDecision made = accountOf(earlier);
        try {
            return ledger.extend(made, chargesFor(views));
        } catch (Throwable e) {
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
        watch.forget(decision);
        if (decision instanceof EngineDecision || decision instanceof DirectDecision) {
            decision.settlement().refund();
        }
        return EngineDecision.NO_LIMIT;
    }

    private static EngineDecision accountOf(Decision decision) {
        return decision instanceof DirectDecision direct ? direct.account() : (EngineDecision) decision;
    }

    private static RequestContext first(List<RequestContext> views) {
        if (views.isEmpty()) {
            throw new IllegalArgumentException("a request is seen at least once");
        }
        return views.get(0);
    }

    /**
     * What the rules in force charge a request.
     *
     * @param context the request
     * @return the charges in the order of the rules; empty where no rule limits the request
     */
    public List<RuleCharge> chargesFor(RequestContext context) {
        return reported(rules.current().chargesFor(context));
    }

    private List<RuleCharge> reported(RequestCharges found) {
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

    /**
     * Whatever fails in the limiter, the request passes: a fault of ours, of a request or a store of the application, a
     * class path of which a part is missing. {@link ExtensionFaults} says why errors are among it.
     */
    private CompletionStage<Decision> guarded(
            RequestContext context, Supplier<CompletionStage<EngineDecision>> deciding) {
        CompletableFuture<EngineDecision> decision = begun(deciding);
        if (decision.isDone()) {
            return decision.handle((made, failure) -> tell(context, failure == null ? made : broken(failure)));
        }
        // Another thread goes on, and the request may be over then.
        RecordedRequest seen = watch.look(context, null);
        return decision.handle(
                (made, failure) -> watch.decided(context, seen, failure == null ? made : broken(failure)));
    }

    /** What a call makes; it has failed where the call itself throws. */
    private static <T> CompletableFuture<T> begun(Supplier<CompletionStage<T>> call) {
        try {
            return call.get().toCompletableFuture();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private EngineDecision broken(Throwable failure) {
        faults.report("The limiter failed, the request passes", failure);
        watch.listener().onFailure("internal", failure);
        return EngineDecision.BROKEN;
    }
}
