package io.ratelimit.core.bucket;

import io.ratelimit.rules.Limit;
import io.ratelimit.store.BucketSpec;

/**
 * How fast a bucket's limits refill.
 *
 * @param bucket the bucket
 */
public record Refilling(BucketSpec bucket) {

    /**
     * Tokens that may have come back in some time: no limit gives more.
     *
     * @param nanos the time, in nanoseconds
     * @return tokens, rounded up
     */
    public long atMost(long nanos) {
        return (long) Math.ceil(tokens(nanos));
    }

    /**
     * Whole tokens that may have come back in some time.
     *
     * @param nanos the time, in nanoseconds
     * @return tokens, rounded down
     */
    public long whole(long nanos) {
        return (long) tokens(nanos);
    }

    private double tokens(long nanos) {
        return bucket.limits().stream()
                .mapToDouble(limit -> tokens(limit, nanos))
                .max()
                .orElse(0);
    }

    /** Tokens that a limit gives in some time. */
    static double tokens(Limit limit, long nanos) {
        return limit.tokens() * ((double) nanos / Math.max(1, limit.period().toNanos()));
    }
}
