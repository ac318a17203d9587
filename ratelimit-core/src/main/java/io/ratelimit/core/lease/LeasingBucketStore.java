package io.ratelimit.core.lease;

import com.google.common.collect.MapMaker;
import io.ratelimit.LimitState;
import io.ratelimit.TimeSource;
import io.ratelimit.core.bucket.AskedStore;
import io.ratelimit.core.bucket.ClientKind;
import io.ratelimit.core.bucket.ClientKinds;
import io.ratelimit.core.bucket.DirectBuckets;
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
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Spends tokens that this host has taken from shared buckets ahead of time, so that a busy client costs a hop for many
 * requests and none of them waits for it. How many follows the demand; all hosts together hold at most an eighth of a
 * bucket, and the shared bucket holds that much less, so that a limit is never exceeded. What a lease has left when its
 * time is over, or when this host is shut down, goes back.
 *
 * <p>Leased is what is plain: a binding charge under limits that refill evenly and hold enough for each host. All else is
 * charged in the shared buckets one by one; a cost of more than seven eighths of a burst is admitted once the client has
 * spent nothing for as long as its bucket takes to fill, and some seconds. Where the shared buckets refuse a client, this
 * host refuses it by itself until the wait that they named is over, for a second at most. Thread-safe.
 */
public final class LeasingBucketStore implements BucketStore {

    private static final Logger LOG = LoggerFactory.getLogger(LeasingBucketStore.class);

    /** How long a lease is good for. */
    public static final Duration LEASE = Duration.ofSeconds(1);

    /** How long after a change all hosts know how many they are, and older leases are over. */
    static final Duration SETTLING = Duration.ofSeconds(3);

    private static final Duration FAREWELL = Duration.ofSeconds(1);

    private final BucketStore shared;
    private final TimeSource timeSource;
    private final HostCount hosts;
    private final ClientKinds kinds = new ClientKinds();

    /** By reference, which is quick; those that are no longer in force are swept. */
    private final ConcurrentMap<BucketSpec, LeasedRule> rules =
            new MapMaker().weakKeys().makeMap();

    /**
     * Leases from a store.
     *
     * @param shared the buckets that all hosts share; stay their owner's to close. Their {@link BucketStore#hosts()} says how
     *     many there are
     * @param timeSource this host's clocks
     */
    public LeasingBucketStore(BucketStore shared, TimeSource timeSource) {
        this.shared = shared;
        this.timeSource = timeSource;
        this.hosts = new HostCount(shared::hosts, SETTLING.toNanos(), timeSource.nanoTime());
    }

    @Override
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        long now = timeSource.nanoTime();
        List<LeasedCharge> parts = new ArrayList<>(charges.size());
        boolean refused = false;
        for (Charge charge : charges) {
            LeasedCharge part = begin(charge, now);
            parts.add(part);
            refused |= part.isRefused(now);
        }
        if (refused) {
            return CompletableFuture.completedFuture(outcome(parts, false, false));
        }
        List<LeasedCharge> asking = new ArrayList<>(0);
        for (LeasedCharge part : parts) {
            part.take(now);
            if (!part.isTaken()) {
                asking.add(part);
            }
        }
        CompletionStage<SpendOutcome> answer = asking.isEmpty()
                ? CompletableFuture.completedFuture(outcome(parts, true, false))
                : ask(parts, asking, now, timeout);
        // After the request's own charges, which somebody waits for.
        parts.forEach(part -> renew(part, now, timeout));
        return answer;
    }

    private LeasedCharge begin(Charge charge, long nanos) {
        LeasedRule rule = ruleOf(charge.bucket(), nanos);
        LeasePlan plan = rule.plan(hosts, nanos);
        boolean plain = charge.kind() == Charge.Kind.BINDING && charge.maxWaitNanos() == 0 && charge.cost() > 0;
        // A queue may owe more than a bucket holds, which the shared bucket would forget.
        boolean large = plain && plan.isLarge(charge.cost());
        boolean leasable = plain && plan.most() > 0 && !large;
        return new LeasedCharge(charge, plan, large, leasable ? rule.of(kinds.fingerprint(charge.client())) : null);
    }

    private LeasedRule ruleOf(BucketSpec spec, long nanos) {
        LeasedRule known = rules.get(spec);
        return known != null
                ? known
                : rules.computeIfAbsent(spec, made -> new LeasedRule(made, LEASE.toNanos(), nanos));
    }

    private CompletionStage<SpendOutcome> ask(
            List<LeasedCharge> parts, List<LeasedCharge> asking, long nanos, Duration timeout) {
        List<Charge> charges = asking.stream().map(LeasedCharge::shared).toList();
        // What was taken here must be given back even if the store throws.
        return new AskedStore(shared)
                .spend(charges, timeout)
                .whenComplete((spent, failure) -> {
                    if (failure != null || !spent.allowed()) {
                        parts.forEach(this::giveBack);
                    }
                })
                .thenApply(spent -> {
                    for (int i = 0; i < asking.size(); i++) {
                        asking.get(i).answered(spent.charges().get(i));
                    }
                    if (!spent.allowed() && !spent.degraded()) {
                        long answered = timeSource.nanoTime();
                        asking.forEach(part -> part.learn(nanos, answered));
                    }
                    return outcome(parts, spent.allowed(), spent.degraded());
                });
    }

    private void giveBack(LeasedCharge part) {
        Lease lease = part.lease();
        if (lease != null) {
            giveBack(lease, part.charge().cost());
        }
    }

    private CompletionStage<Void> giveBack(Lease lease, long tokens) {
        return lease.giveBack(tokens, timeSource.nanoTime())
                ? CompletableFuture.completedFuture(null)
                : shared.refund(lease.receipt(), tokens);
    }

    private void renew(LeasedCharge part, long nanos, Duration timeout) {
        ClientLeases leases = part.leases();
        long tokens = part.renewal(nanos);
        if (leases != null && tokens > 0) {
            renew(leases, part.shared(tokens), nanos, timeout);
        }
    }

    private void renew(ClientLeases leases, Charge renewal, long nanos, Duration timeout) {
        new AskedStore(shared).spend(List.of(renewal), timeout).whenComplete((spent, failure) -> {
            long now = timeSource.nanoTime();
            ChargeOutcome outcome =
                    spent == null || spent.degraded() ? null : spent.charges().get(0);
            Receipt receipt = outcome == null ? null : outcome.receipt();
            if (outcome == null || receipt == null) {
                leases.notRenewed(now);
            } else {
                Lease lease = new Lease(receipt, renewal.cost(), nanos, nanos + LEASE.toNanos());
                leases.renewed(lease, outcome.limits(), now);
            }
        });
    }

    private static SpendOutcome outcome(List<LeasedCharge> parts, boolean allowed, boolean degraded) {
        List<ChargeOutcome> outcomes = new ArrayList<>(parts.size());
        for (LeasedCharge part : parts) {
            outcomes.add(part.outcome(allowed));
        }
        return new SpendOutcome(allowed, degraded, outcomes);
    }

    /**
     * The leases under one rule, for whoever asks them again and again.
     *
     * @param spec the rule's buckets, whose policy says how long the store may take
     * @return a way to spend what is leased; for everything else, the first lease included, this store is to be asked
     */
    public DirectBuckets leasesOf(BucketSpec spec) {
        return new LeasedBuckets(this, kinds, spec);
    }

    /** Spends what is leased, or refuses what the shared buckets would; null where these are to be asked. */
    @Nullable
    LeasedSpending spend(BucketSpec spec, ClientKind kind, String value, long cost) {
        long now = timeSource.nanoTime();
        LeasedRule rule = ruleOf(spec, now);
        LeasePlan plan = rule.plan(hosts, now);
        ClientLeases leases = cost <= 0 || plan.most() == 0 ? null : rule.of(kind.fingerprint(value));
        if (leases == null) {
            return null;
        }
        List<LimitState> refusal = leases.refusal(cost, now);
        if (refusal != null) {
            return new LeasedSpending(this, kind, value, cost, refusal, null);
        }
        Lease lease = leases.take(cost, now);
        if (lease == null) {
            return null;
        }
        LeasedSpending spent = new LeasedSpending(this, kind, value, cost, leases.describe(), lease);
        long tokens = leases.isRunningLow() ? leases.renew(plan.most(), now) : 0;
        Duration timeout = spec.policy().storeTimeout();
        if (tokens > 0 && timeout != null) {
            renew(leases, new Charge(kind.client(value), plan.shared(), tokens), now, timeout);
        }
        return spent;
    }

    @Override
    public CompletionStage<Void> refund(Receipt receipt, long tokens) {
        return receipt instanceof LeaseReceipt leased
                ? giveBack(leased.lease(), tokens)
                : shared.refund(receipt, tokens);
    }

    @Override
    public CompletionStage<Void> release(Receipt receipt) {
        return receipt instanceof LeaseReceipt ? CompletableFuture.completedFuture(null) : shared.release(receipt);
    }

    @Override
    public CompletionStage<Void> undo(Receipt receipt, long tokens) {
        return receipt instanceof LeaseReceipt leased ? giveBack(leased.lease(), tokens) : shared.undo(receipt, tokens);
    }

    @Override
    public int hosts() {
        return shared.hosts();
    }

    @Override
    public void warmUp() throws InterruptedException {
        shared.warmUp();
    }

    /** Gives back what leases have left whose time is over. To be called several times in the time of a lease. */
    public void sweep() {
        long now = timeSource.nanoTime();
        rules.values().removeIf(rule -> {
            rule.sweep(now).forEach(this::giveBack);
            return rule.isIdle(now);
        });
    }

    private CompletionStage<Void> giveBack(EndedLease ended) {
        return shared.refund(ended.receipt(), ended.left());
    }

    /** Gives back what all leases have left, which takes at most a second. */
    @Override
    public void close() {
        List<CompletableFuture<Void>> given = rules.values().stream()
                .flatMap(rule -> rule.end().stream())
                .map(ended -> giveBack(ended).toCompletableFuture())
                .toList();
        try {
            CompletableFuture.allOf(given.toArray(CompletableFuture[]::new))
                    .get(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("Not all that was leased could be given back; it refills by itself", e);
        }
    }
}
