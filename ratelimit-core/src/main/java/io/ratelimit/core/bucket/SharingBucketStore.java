package io.ratelimit.core.bucket;

import io.ratelimit.rules.Sharing;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Sends each charge to the buckets that its rule asks for: near ones, which cost less to ask, or far ones. Charges of one
 * request that go to both stay all or nothing: the near ones are spent first, and given back if the far ones refuse. Takes
 * receipts of the near store too, which may have been asked directly. Thread-safe.
 */
public final class SharingBucketStore implements BucketStore {

    private final Predicate<BucketSpec> nearby;
    private final BucketStore near;
    private final BucketStore far;

    /**
     * Combines two stores.
     *
     * @param nearby how rules share whose charges go to the near store
     * @param near the near store; closed with this one, before the far one
     * @param far the store of all other rules; closed with this one
     */
    public SharingBucketStore(Sharing nearby, BucketStore near, BucketStore far) {
        this(bucket -> bucket.policy().sharing() == nearby, near, far);
    }

    /**
     * Combines two stores.
     *
     * @param nearby which charges go to the near store; asked for each, and always the same of a bucket
     * @param near the near store; closed with this one, before the far one
     * @param far the store of all other charges; closed with this one
     */
    public SharingBucketStore(Predicate<BucketSpec> nearby, BucketStore near, BucketStore far) {
        this.nearby = nearby;
        this.near = near;
        this.far = far;
    }

    @Override
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        List<Charge> nears = new ArrayList<>(charges.size());
        List<Charge> others = new ArrayList<>(charges.size());
        for (Charge charge : charges) {
            (isNear(charge) ? nears : others).add(charge);
        }
        if (nears.isEmpty()) {
            return ask(far, charges, timeout);
        }
        if (others.isEmpty()) {
            return ask(near, charges, timeout);
        }
        return ask(near, nears, timeout)
                .thenCompose(spent -> spent.allowed()
                        ? spendFar(charges, spent, others, timeout)
                        : CompletableFuture.completedFuture(merge(charges, spent, notAsked(others))));
    }

    private static CompletionStage<SpendOutcome> ask(BucketStore store, List<Charge> charges, Duration timeout) {
        return store.spend(charges, timeout).thenApply(spent -> RoutedReceipt.route(store, spent));
    }

    @Override
    public CompletionStage<Void> refund(Receipt receipt, long tokens) {
        return receipt instanceof RoutedReceipt routed ? routed.refund(tokens) : near.refund(receipt, tokens);
    }

    @Override
    public CompletionStage<Void> release(Receipt receipt) {
        return receipt instanceof RoutedReceipt routed ? routed.release() : near.release(receipt);
    }

    @Override
    public CompletionStage<Void> undo(Receipt receipt, long tokens) {
        return receipt instanceof RoutedReceipt routed ? routed.undo(tokens) : near.undo(receipt, tokens);
    }

    @Override
    public int hosts() {
        return far.hosts();
    }

    @Override
    public void warmUp() throws InterruptedException {
        far.warmUp();
    }

    @Override
    public void close() {
        try {
            near.close();
        } finally {
            far.close();
        }
    }

    private CompletionStage<SpendOutcome> spendFar(
            List<Charge> charges, SpendOutcome nears, List<Charge> others, Duration timeout) {
        // What was spent nearby must be given back even if the far store throws.
        return new AskedStore(far)
                .spend(others, timeout)
                .thenApply(spent -> RoutedReceipt.route(far, spent))
                .whenComplete((spent, failure) -> {
                    if (failure != null || !spent.allowed()) {
                        giveBack(nears);
                    }
                })
                .thenCompose(spent -> spent.allowed()
                        ? CompletableFuture.completedFuture(merge(charges, nears, spent))
                        : look(nears, timeout).thenApply(looked -> merge(charges, looked, spent)));
    }

    /** What the near buckets say after their charges were given back. */
    private CompletionStage<SpendOutcome> look(SpendOutcome nears, Duration timeout) {
        List<Charge> looks = nears.charges().stream()
                .map(outcome ->
                        new Charge(outcome.charge().client(), outcome.charge().bucket(), 0))
                .toList();
        return near.spend(looks, timeout);
    }

    private void giveBack(SpendOutcome nears) {
        for (ChargeOutcome outcome : nears.charges()) {
            Receipt receipt = outcome.receipt();
            if (receipt != null) {
                undo(receipt, outcome.charge().cost());
            }
        }
    }

    private static SpendOutcome notAsked(List<Charge> charges) {
        List<ChargeOutcome> outcomes = charges.stream()
                .map(charge -> new ChargeOutcome(charge, List.of(), null))
                .toList();
        return new SpendOutcome(true, false, outcomes);
    }

    /** Both outcomes as one, in the order in which the charges were given. */
    private static SpendOutcome merge(List<Charge> charges, SpendOutcome nears, SpendOutcome others) {
        List<ChargeOutcome> unordered = Stream.concat(nears.charges().stream(), others.charges().stream())
                .toList();
        boolean allowed = nears.allowed() && others.allowed();
        List<ChargeOutcome> ordered = charges.stream()
                .map(charge -> find(unordered, charge))
                .map(outcome -> allowed ? outcome : new ChargeOutcome(outcome.charge(), outcome.limits(), null))
                .toList();
        return new SpendOutcome(allowed, nears.degraded() || others.degraded(), ordered);
    }

    private static ChargeOutcome find(List<ChargeOutcome> outcomes, Charge charge) {
        return outcomes.stream()
                .filter(outcome ->
                        outcome.charge().bucket().name().equals(charge.bucket().name())
                                && outcome.charge().client().equals(charge.client()))
                .map(outcome -> new ChargeOutcome(charge, outcome.limits(), outcome.receipt()))
                .findFirst()
                .orElseThrow();
    }

    private boolean isNear(Charge charge) {
        return nearby.test(charge.bucket());
    }
}
