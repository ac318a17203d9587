package io.ratelimit.core.broadcast;

import io.ratelimit.rules.Limit;
import io.ratelimit.store.BucketSpec;

/**
 * How fast a bucket's limits refill.
 *
 * @param bucket the bucket
 */
record Refilling(BucketSpec bucket) {

    /** Tokens that may have come back in some time: no limit gives more. */
    long atMost(long nanos) {
        return (long) Math.ceil(bucket.limits().stream()
                .mapToDouble(limit -> refilled(limit, nanos))
                .max()
                .orElse(0));
    }

    private static double refilled(Limit limit, long nanos) {
        return limit.tokens() * ((double) nanos / Math.max(1, limit.period().toNanos()));
    }
}
