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
import java.util.List;
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
        return ask(context).toCompletableFuture().join();
    }

    @Override
    public CompletionStage<Decision> decideAsync(RequestContext context) {
        CompletableFuture<Decision> decision = ask(context).toCompletableFuture();
        // What the application does next may take its time, and a store's own threads must not wait for it.
        return decision.isDone() ? decision : decision.thenApplyAsync(made -> made);
    }

    private CompletionStage<Decision> ask(RequestContext context) {
        return guarded(context, () -> spend(chargesFor(context)));
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
        return guarded(context, () -> extend((EngineDecision) earlier, chargesFor(context)))
                .toCompletableFuture()
                .join();
    }

    /**
     * Gives back what an allowed request was charged. To be called at most once for a request.
     *
     * @param decision a decision of this limiter
     */
    public void refund(Decision decision) {
        for (ChargeOutcome spent : ((EngineDecision) decision).outcome().charges()) {
            refund(spent, spent.charge().cost());
        }
    }

    private List<RuleCharge> chargesFor(RequestContext context) {
        RequestCharges found = rules.current().chargesFor(context);
        found.unidentified().forEach(this::reportUnidentified);
        return found.charges();
    }

    private CompletionStage<EngineDecision> spend(List<RuleCharge> charges) {
        if (charges.isEmpty()) {
            return CompletableFuture.completedFuture(EngineDecision.NO_LIMIT);
        }
        List<Charge> asked = charges.stream().map(RuleCharge::charge).toList();
        return buckets.spend(asked, timeoutOf(asked)).thenApply(outcome -> EngineDecision.of(charges, outcome));
    }

    private CompletionStage<EngineDecision> extend(EngineDecision earlier, List<RuleCharge> charges) {
        if (charges.isEmpty()) {
            refund(earlier);
            return CompletableFuture.completedFuture(EngineDecision.NO_LIMIT);
        }
        List<RuleCharge> missing = new ArrayList<>();
        for (RuleCharge charge : charges) {
            ChargeOutcome spent = earlier.spentFor(charge);
            long paid = spent == null ? 0 : spent.charge().cost();
            long due = charge.charge().cost() - paid;
            if (spent == null || due > 0) {
                missing.add(new RuleCharge(
                        charge.rule(),
                        new Charge(charge.charge().client(), charge.charge().bucket(), due)));
            }
        }
        if (missing.isEmpty()) {
            giveBackDifference(earlier, charges);
            return CompletableFuture.completedFuture(earlier);
        }
        return spend(missing).thenApply(added -> combine(earlier, charges, added));
    }

    private EngineDecision combine(EngineDecision earlier, List<RuleCharge> charges, EngineDecision added) {
        if (!added.allowed()) {
            refund(earlier);
            return added;
        }
        giveBackDifference(earlier, charges);
        List<RuleCharge> all = new ArrayList<>(earlier.charges());
        List<ChargeOutcome> outcomes = new ArrayList<>(earlier.outcome().charges());
        for (int i = 0; i < added.charges().size(); i++) {
            RuleCharge charge = added.charges().get(i);
            ChargeOutcome outcome = added.outcome().charges().get(i);
            ChargeOutcome before = earlier.spentFor(charge);
            if (before == null) {
                all.add(charge);
                outcomes.add(outcome);
            } else {
                outcomes.set(outcomes.indexOf(before), outcome);
            }
        }
        boolean degraded = earlier.outcome().degraded() || added.outcome().degraded();
        return EngineDecision.of(all, new SpendOutcome(true, degraded, outcomes));
    }

    /** A request that costs less than it was charged gets the rest back. */
    private void giveBackDifference(EngineDecision earlier, List<RuleCharge> charges) {
        for (RuleCharge charge : charges) {
            ChargeOutcome spent = earlier.spentFor(charge);
            if (spent != null && spent.charge().cost() > charge.charge().cost()) {
                refund(spent, spent.charge().cost() - charge.charge().cost());
            }
        }
    }

    private void refund(ChargeOutcome spent, long tokens) {
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
