package io.ratelimit.core.reconcile;

import io.ratelimit.rules.Limit;
import io.ratelimit.store.BucketSpec;

/**
 * What hosts can let pass beyond a rule's limits before each of them has told the others: each of the others a burst, and
 * what refills until it has told it.
 *
 * @param bucket the rule's limits
 * @param hosts how many hosts there are; 0 where that is not known
 * @param tellingNanos how long it takes to tell, in nanoseconds
 */
record ExcessOfHosts(BucketSpec bucket, int hosts, long tellingNanos) {

    /** How long all of it takes to refill under the slowest of the limits, in nanoseconds; 0 for nothing. */
    long refillNanos() {
        if (hosts <= 1) {
            return 0;
        }
        double fewest = Double.MAX_VALUE;
        double slowest = Double.MAX_VALUE;
        for (Limit limit : bucket.limits()) {
            double perNano =
                    limit.tokens() / (double) Math.max(1, limit.period().toNanos());
            fewest = Math.min(fewest, limit.capacity() + perNano * tellingNanos);
            slowest = Math.min(slowest, perNano);
        }
        return slowest == 0 ? 0 : (long) Math.ceil((hosts - 1) * fewest / slowest);
    }
}
