package io.ratelimit.core.bucket;

import io.ratelimit.rules.Sharing;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Sends each charge to the buckets that its rule asks for: this host's, or those that all hosts share. Charges of one
 * request that go to both stay all or nothing: this host's are spent first, since they cost no hop, and given back if
 * the shared ones refuse. Takes receipts of this host's buckets too, which may have been asked directly. Thread-safe.
 */
public final class SharingBucketStore implements BucketStore {

    private final BucketStore host;
    private final BucketStore shared;

    /**
     * Combines two stores.
     *
     * @param host buckets of this host, which answers at once; stays its owner's to close
     * @param shared buckets of all hosts; closed with this store
     */
    public SharingBucketStore(BucketStore host, BucketStore shared) {
        this.host = host;
        this.shared = shared;
    }

    @Override
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        var bySharing = charges.stream().collect(Collectors.partitioningBy(SharingBucketStore::isHosts));
        List<Charge> hosts = bySharing.getOrDefault(true, List.of());
        List<Charge> others = bySharing.getOrDefault(false, List.of());
        if (hosts.isEmpty()) {
            return shared.spend(others, timeout).thenApply(spent -> RoutedReceipt.route(shared, spent));
        }
        CompletionStage<SpendOutcome> first =
                host.spend(hosts, timeout).thenApply(spent -> RoutedReceipt.route(host, spent));
        if (others.isEmpty()) {
            return first;
        }
        return first.thenCompose(spent -> spent.allowed()
                ? spendShared(charges, spent, others, timeout)
                : CompletableFuture.completedFuture(merge(charges, spent, notAsked(others))));
    }

    @Override
    public CompletionStage<Void> refund(Receipt receipt, long tokens) {
        return receipt instanceof RoutedReceipt routed ? routed.refund(tokens) : host.refund(receipt, tokens);
    }

    @Override
    public CompletionStage<Void> release(Receipt receipt) {
        return receipt instanceof RoutedReceipt routed ? routed.release() : host.release(receipt);
    }

    @Override
    public CompletionStage<Void> undo(Receipt receipt, long tokens) {
        return receipt instanceof RoutedReceipt routed ? routed.undo(tokens) : host.undo(receipt, tokens);
    }

    @Override
    public void warmUp() throws InterruptedException {
        shared.warmUp();
    }

    @Override
    public void close() {
        shared.close();
    }

    private CompletionStage<SpendOutcome> spendShared(
            List<Charge> charges, SpendOutcome hosts, List<Charge> others, Duration timeout) {
        return startShared(others, timeout)
                .thenApply(spent -> RoutedReceipt.route(shared, spent))
                .whenComplete((spent, failure) -> {
                    if (failure != null || !spent.allowed()) {
                        giveBack(hosts);
                    }
                })
                .thenCompose(spent -> spent.allowed()
                        ? CompletableFuture.completedFuture(merge(charges, hosts, spent))
                        : look(hosts, timeout).thenApply(looked -> merge(charges, looked, spent)));
    }

    /** What was spent here must be given back even if the shared store throws. */
    private CompletionStage<SpendOutcome> startShared(List<Charge> others, Duration timeout) {
        try {
            return shared.spend(others, timeout);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** What the host's buckets say after their charges were given back. */
    private CompletionStage<SpendOutcome> look(SpendOutcome hosts, Duration timeout) {
        List<Charge> looks = hosts.charges().stream()
                .map(outcome ->
                        new Charge(outcome.charge().client(), outcome.charge().bucket(), 0))
                .toList();
        return host.spend(looks, timeout);
    }

    private void giveBack(SpendOutcome hosts) {
        for (ChargeOutcome outcome : hosts.charges()) {
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
    private static SpendOutcome merge(List<Charge> charges, SpendOutcome hosts, SpendOutcome others) {
        List<ChargeOutcome> unordered = Stream.concat(hosts.charges().stream(), others.charges().stream())
                .toList();
        boolean allowed = hosts.allowed() && others.allowed();
        List<ChargeOutcome> ordered = charges.stream()
                .map(charge -> find(unordered, charge))
                .map(outcome -> allowed ? outcome : new ChargeOutcome(outcome.charge(), outcome.limits(), null))
                .toList();
        return new SpendOutcome(allowed, hosts.degraded() || others.degraded(), ordered);
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

    private static boolean isHosts(Charge charge) {
        return charge.bucket().policy().sharing() == Sharing.HOST;
    }
}
