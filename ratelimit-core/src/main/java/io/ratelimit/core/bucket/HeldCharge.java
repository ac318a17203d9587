package io.ratelimit.core.bucket;

import io.ratelimit.LimitState;
import io.ratelimit.core.algorithm.TokenBucket;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import java.util.ArrayList;
import java.util.List;

/** A charge with the bucket that it is for, which is locked while the methods run. */
record HeldCharge(Charge charge, BucketKey key, Bucket bucket) {

    boolean admits(long nanos) {
        long[] states = bucket.states();
        for (int i = 0; i < states.length; i++) {
            if (!bucket.spec().limit(i).admits(states[i], nanos, charge.cost())) {
                return false;
            }
        }
        return true;
    }

    /** Writes the charge and unlocks. */
    ChargeOutcome spend(long nanos) {
        long[] states = bucket.states();
        List<LimitState> limits = new ArrayList<>(states.length);
        for (int i = 0; i < states.length; i++) {
            TokenBucket limit = bucket.spec().limit(i);
            states[i] = limit.spend(states[i], nanos, charge.cost());
            limits.add(limit.describe(states[i], nanos, 0));
        }
        bucket.unlock(states);
        return new ChargeOutcome(charge, limits, new LocalReceipt(key, bucket.spec(), states));
    }

    /** Changes nothing and unlocks. */
    ChargeOutcome leave(long nanos) {
        long[] states = bucket.states();
        bucket.unlock();
        List<LimitState> limits = new ArrayList<>(states.length);
        for (int i = 0; i < states.length; i++) {
            TokenBucket limit = bucket.spec().limit(i);
            limits.add(limit.describe(states[i], nanos, limit.waitNanos(states[i], nanos, charge.cost())));
        }
        return new ChargeOutcome(charge, limits, null);
    }
}
