package io.ratelimit.core.bucket;

import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;

/** A charge with the bucket that it is for, which is locked while the methods run. */
record HeldCharge(Charge charge, CompiledSpec asked, BucketKey key, Bucket bucket) {

    boolean admits(long nanos) {
        return bucket.spec().admits(bucket.states(), nanos, charge.cost());
    }

    /** What becomes of the charge once {@link #write} has been called. */
    ChargeOutcome spend(long nanos) {
        CompiledSpec spec = bucket.spec();
        long[] spent = spec.spend(bucket.states(), nanos, charge.cost());
        return new ChargeOutcome(
                charge, spec.describe(spent, nanos, 0, asked), new LocalReceipt(key, spec, spent));
    }

    ChargeOutcome leave(long nanos) {
        return new ChargeOutcome(
                charge, bucket.spec().describe(bucket.states(), nanos, charge.cost(), asked), null);
    }

    /** Writes what was decided and unlocks. Allocates nothing, so that nothing can go wrong half-way. */
    void write(ChargeOutcome outcome) {
        if (outcome.receipt() instanceof LocalReceipt spent) {
            bucket.unlock(spent.statesAfter());
        } else {
            bucket.unlock();
        }
    }
}
