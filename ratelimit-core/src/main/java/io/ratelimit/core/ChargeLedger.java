package io.ratelimit.core;

import io.ratelimit.core.match.RuleCharge;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Keeps account of what requests pay: spends, charges differences, gives back. Thread-safe. */
final class ChargeLedger {

    private final BucketStore buckets;
    private final DecisionWatch watch;

    ChargeLedger(BucketStore buckets, DecisionWatch watch) {
        this.buckets = buckets;
        this.watch = watch;
    }

    /** Spends what a request is charged, all or nothing. */
    CompletionStage<EngineDecision> spend(Collection<RuleCharge> found) {
        if (found.isEmpty()) {
            return CompletableFuture.completedFuture(EngineDecision.NO_LIMIT);
        }
        List<RuleCharge> charges = List.copyOf(found);
        List<Charge> asked = new ArrayList<>(charges.size());
        charges.forEach(charge -> asked.add(charge.charge()));
        return buckets.spend(asked, timeoutOf(asked)).thenApply(outcome -> EngineDecision.of(this, charges, outcome));
    }

    /** Looks what would become of what a request is charged. Spends nothing. */
    CompletionStage<EngineDecision> look(Collection<RuleCharge> found) {
        if (found.isEmpty()) {
            return CompletableFuture.completedFuture(EngineDecision.NO_LIMIT);
        }
        List<RuleCharge> charges = List.copyOf(found);
        List<Charge> asked = charges.stream()
                .map(charge -> charge.charge().as(Charge.Kind.LOOK))
                .toList();
        return buckets.spend(asked, timeoutOf(asked)).thenApply(looks -> EngineDecision.ofLook(charges, looks));
    }

    /**
     * Charges what is still missing of what a request is charged now that more is known of it.
     *
     * @param decided what was decided and charged before; what was settled since is no longer part of it
     * @param charges all that the request is charged
     */
    CompletionStage<EngineDecision> extend(EngineDecision decided, Collection<RuleCharge> charges) {
        EngineDecision first = decided.handOver() || decided.spent().isEmpty() ? decided : EngineDecision.NO_LIMIT;
        if (charges.isEmpty()) {
            undo(first);
            return CompletableFuture.completedFuture(EngineDecision.NO_LIMIT);
        }
        EngineDecision earlier = giveBackWhatNoLongerApplies(first, charges);
        List<RuleCharge> missing = new ArrayList<>();
        for (RuleCharge charge : charges) {
            ChargeOutcome before = earlier.outcomeFor(charge);
            if (before == null) {
                missing.add(charge);
                continue;
            }
            long cost = charge.charge().cost();
            long due = cost - earlier.paidFor(charge);
            if (due > 0) {
                // What no full bucket holds is asked for as a whole, so that no wait is promised for a part of it.
                missing.add(new RuleCharge(
                        charge.rule(),
                        new Charge(
                                        before.charge().client(),
                                        charge.charge().bucket(),
                                        isHeldByFullBuckets(charge, cost) ? due : cost)
                                .as(kindOfMore(charge.charge().kind()))));
            }
        }
        if (missing.isEmpty()) {
            return CompletableFuture.completedFuture(earlier.withSpent(giveBackDifference(earlier, charges)));
        }
        return startSpending(missing)
                .thenApply(added -> combine(earlier, charges, added))
                .whenComplete((combined, failure) -> {
                    if (failure != null) {
                        undo(earlier);
                    }
                });
    }

    /** What was charged before must be given back even if the store throws. */
    private CompletionStage<EngineDecision> startSpending(List<RuleCharge> missing) {
        try {
            return spend(missing);
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static Charge.Kind kindOfMore(Charge.Kind kind) {
        return kind == Charge.Kind.BINDING ? Charge.Kind.MORE : kind;
    }

    private static boolean isHeldByFullBuckets(RuleCharge charge, long cost) {
        return charge.charge().bucket().limits().stream().allMatch(limit -> limit.capacity() >= cost);
    }

    /** Where an override took over for the operation, the rule's own buckets are not the ones to be charged. */
    private EngineDecision giveBackWhatNoLongerApplies(EngineDecision earlier, Collection<RuleCharge> charges) {
        Predicate<Charge> applies =
                made -> charges.stream().anyMatch(charge -> EngineDecision.sameBucket(made, charge));
        earlier.spent().stream().filter(spent -> !applies.test(spent.charge())).forEach(this::undo);
        return earlier.only(applies);
    }

    private EngineDecision combine(EngineDecision earlier, Collection<RuleCharge> charges, EngineDecision added) {
        if (!added.allowed()) {
            undo(earlier);
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
        return EngineDecision.of(this, all, new SpendOutcome(true, degraded, outcomes))
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

    /** Takes back all that a request has paid that goes on no more, unless it was settled before. Throws nothing. */
    void takeBack(EngineDecision decision) {
        if (decision.handOver()) {
            undo(decision);
        }
    }

    /** Takes back all that a request has paid. Throws nothing: what cannot be given back is told and refills. */
    private void undo(EngineDecision decision) {
        decision.spent().forEach(this::undo);
    }

    private void undo(EngineDecision.Spent spent) {
        Receipt receipt = spent.receipt();
        if (receipt != null) {
            attempt(() -> buckets.undo(receipt, spent.tokens()));
        }
    }

    /** Gives tokens back. Throws nothing. */
    void refund(EngineDecision.Spent spent, long tokens) {
        Receipt receipt = spent.receipt();
        if (receipt != null && tokens > 0) {
            attempt(() -> buckets.refund(receipt, tokens));
        }
    }

    /** Ends the request of a charge. Throws nothing. */
    void release(EngineDecision.Spent spent) {
        Receipt receipt = spent.receipt();
        if (receipt != null) {
            attempt(() -> buckets.release(receipt));
        }
    }

    /** Tells that the request of a decision was settled by its answer. */
    void answered(EngineDecision decision, int status) {
        watch.answered(decision, status);
    }

    /** Charges what a request that has passed turned out to cost beyond what it paid. Throws nothing. */
    void chargeLate(Charge made, long tokens) {
        Charge late = new Charge(made.client(), made.bucket(), tokens).as(Charge.Kind.LATE);
        attempt(() -> buckets.spend(List.of(late), timeoutOf(List.of(late))));
    }

    private void attempt(Supplier<CompletionStage<?>> call) {
        try {
            call.get().whenComplete((done, failure) -> {
                if (failure != null) {
                    watch.listener().onFailure("store-error", failure);
                }
            });
        } catch (Throwable e) {
            watch.listener().onFailure("store-error", e);
        }
    }

    /** The shortest time that a rule gives its store. */
    static Duration timeoutOf(List<Charge> charges) {
        Duration shortest = null;
        for (Charge charge : charges) {
            Duration timeout = charge.bucket().policy().storeTimeout();
            if (timeout != null && (shortest == null || timeout.compareTo(shortest) < 0)) {
                shortest = timeout;
            }
        }
        return Objects.requireNonNull(shortest, "a rule in force says how long its store may take");
    }
}
