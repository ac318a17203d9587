package io.ratelimit.core.bucket;

import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A charge with the bucket that it is for, once that is locked. Used by one thread. */
final class HeldCharge {

    private final Charge charge;
    private final CompiledSpec asked;
    private final BucketKey key;
    private @Nullable HeldBucket bucket;
    private long[] refundedBefore = BucketRefunds.NO_TOTALS;
    private long[][] after;

    HeldCharge(Charge charge, CompiledSpec asked, BucketKey key) {
        this.charge = charge;
        this.asked = asked;
        this.key = key;
        this.after = new long[0][];
    }

    BucketKey key() {
        return key;
    }

    CompiledSpec asked() {
        return asked;
    }

    void hold(HeldBucket locked) {
        bucket = locked;
    }

    /** Takes note of what was given back to the bucket lately. */
    void know(RecentRefunds refunds) {
        refundedBefore = refunds.totals(key, bucket().spec());
    }

    private HeldBucket bucket() {
        return Objects.requireNonNull(bucket, "the charge is not held yet");
    }

    /** Whether the request may pass as far as this charge has a say. */
    boolean lets(Moment now) {
        return bucket().spec().lets(bucket().states(), now, charge.kind(), charge.cost(), charge.maxWaitNanos());
    }

    /** What becomes of the charge once {@link #write} has been called. */
    ChargeOutcome settle(boolean allowed, Moment now) {
        CompiledSpec spec = bucket().spec();
        long[][] states = bucket().states();
        Spending spending =
                Spending.of(spec, states, now, charge.kind(), charge.cost(), charge.maxWaitNanos(), allowed);
        after = spending.states();
        long[][] words = spending.receipt();
        LocalReceipt receipt =
                words == null ? null : new LocalReceipt(key, spec, charge.cost(), words, now.nanos(), refundedBefore);
        return new ChargeOutcome(charge, spec.describe(after, now, spending.waits(), asked), receipt);
    }

    /** Writes what was decided and unlocks. Allocates nothing, so that nothing can go wrong half-way. */
    void write() {
        bucket().unlock(after);
    }

    /** Unlocks and leaves all as it was. */
    void letGo() {
        bucket().unlock();
    }
}
