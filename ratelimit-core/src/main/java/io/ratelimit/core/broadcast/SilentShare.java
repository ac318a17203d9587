package io.ratelimit.core.broadcast;

import io.ratelimit.rules.Limit;
import io.ratelimit.store.BucketSpec;

/**
 * How much of a bucket may be spent without the other hosts being told: a small part of its burst at once, and of its rate
 * in the long run, for all hosts together. Immutable.
 *
 * @param tokens what all hosts together may leave untold, at least 0
 * @param tokensPerNano how fast what is untold stops to matter, at least 0
 */
record SilentShare(double tokens, double tokensPerNano) {

    /** All hosts together are silent about one in so many: well within a hundredth. */
    private static final double PARTS = 128;

    private static final SilentShare NONE = new SilentShare(0, 0);

    /** The share of a bucket: under each of its limits, no more than that limit's. */
    static SilentShare of(BucketSpec bucket) {
        double tokens = Double.MAX_VALUE;
        double tokensPerNano = Double.MAX_VALUE;
        for (Limit limit : bucket.limits()) {
            if (!isAnAmount(limit)) {
                return NONE;
            }
            tokens = Math.min(tokens, limit.capacity() / PARTS);
            tokensPerNano = Math.min(
                    tokensPerNano, limit.tokens() / PARTS / limit.period().toNanos());
        }
        return new SilentShare(tokens, tokensPerNano);
    }

    /** The time since the last request is no amount: one that is not told is not there. */
    private static boolean isAnAmount(Limit limit) {
        return !limit.period().isZero() && limit.options().minInterval().isZero();
    }

    /**
     * What one host may leave untold.
     *
     * @param hosts how many there are; with one, which may only be the one that is known, all is told
     * @return tokens; less than 1 means that all is told
     */
    double tokens(int hosts) {
        return hosts > 1 ? tokens / hosts : 0;
    }

    /**
     * How much of what one host has not told stops to matter in some time.
     *
     * @param nanos the time
     * @param hosts how many there are
     */
    double leaked(long nanos, int hosts) {
        return tokensPerNano * nanos / Math.max(1, hosts);
    }
}
