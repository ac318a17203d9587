package io.ratelimit.core.lease;

import io.ratelimit.LimitState;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One charge of a request, on its way to a lease or to the shared buckets. Used by one thread at a time. */
final class LeasedCharge {

    private final Charge charge;
    private final LeasePlan plan;
    private final boolean large;
    private final @Nullable ClientLeases leases;
    private @Nullable Lease lease;
    private @Nullable ChargeOutcome asked;
    private List<LimitState> limits = List.of();

    /**
     * Begins.
     *
     * @param charge the charge
     * @param plan how its rule is leased
     * @param large whether it can only be paid while nothing is leased
     * @param leases its client's leases; null where it is to be charged by itself
     */
    LeasedCharge(Charge charge, LeasePlan plan, boolean large, @Nullable ClientLeases leases) {
        this.charge = charge;
        this.plan = plan;
        this.large = large;
        this.leases = leases;
    }

    /** Whether the shared buckets would refuse, as they have lately. */
    boolean isRefused(long nanos) {
        List<LimitState> refusal = leases == null ? null : leases.refusal(charge.cost(), nanos);
        limits = refusal == null ? limits : refusal;
        return refusal != null;
    }

    void take(long nanos) {
        lease = leases == null ? null : leases.take(charge.cost(), nanos);
        if (leases != null && lease != null) {
            limits = leases.describe();
        }
    }

    boolean isTaken() {
        return lease != null;
    }

    @Nullable
    Lease lease() {
        return lease;
    }

    Charge charge() {
        return charge;
    }

    /** The charge as the shared buckets know it. */
    Charge shared() {
        return shared(charge.cost());
    }

    /** A charge of the same client for as many tokens. */
    Charge shared(long cost) {
        BucketSpec bucket = large ? plan.whole() : plan.shared();
        return new Charge(charge.client(), bucket, cost, charge.kind(), charge.maxWaitNanos());
    }

    /** What the shared buckets have answered. */
    void answered(ChargeOutcome outcome) {
        asked = outcome;
        limits = large ? plan.promised(charge.cost(), outcome.limits()) : outcome.limits();
    }

    /** Remembers that the shared buckets have refused. */
    void learn(long askedNanos, long answeredNanos) {
        if (leases != null && asked != null && !asked.admits()) {
            leases.refused(charge.cost(), limits, askedNanos, answeredNanos);
        }
    }

    /** How many tokens a lease is to be asked for now; 0 for none. */
    long renewal(long nanos) {
        if (leases == null || (lease != null && !leases.isRunningLow())) {
            return 0;
        }
        return lease == null ? leases.renewAfterMiss(plan.most(), nanos) : leases.renew(plan.most(), nanos);
    }

    /** The leases that a renewal is for. */
    @Nullable
    ClientLeases leases() {
        return leases;
    }

    ChargeOutcome outcome(boolean allowed) {
        if (!allowed) {
            return new ChargeOutcome(charge, limits, null);
        }
        Lease from = lease;
        ChargeOutcome answer = asked;
        return new ChargeOutcome(
                charge, limits, from != null ? new LeaseReceipt(from) : answer == null ? null : answer.receipt());
    }
}
