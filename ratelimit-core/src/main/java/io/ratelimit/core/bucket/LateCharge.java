package io.ratelimit.core.bucket;

import com.google.common.math.LongMath;
import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.rules.Limit;

/**
 * What one limit is charged for a request that has passed already. It owes at most what refills while an empty bucket
 * fills, or in a longer time that the charge allows.
 *
 * @param limit the limit
 * @param algorithm how it counts
 * @param allowedNanos how long it may take until what is owed has come, in nanoseconds, where that is longer
 */
record LateCharge(Limit limit, LimitAlgorithm algorithm, long allowedNanos) {

    /** What it holds, as much that it owes, and one more, for what a limit may do about refusals. */
    private static final long MOST_PARTS = 3;

    /** In parts that the bucket can hold, until nothing is left or no more can be owed. */
    long[] spend(long[] state, Moment now, long cost) {
        if (algorithm.countsInFlight() || limit.isBlocked()) {
            return state;
        }
        long[] spent = state;
        for (long left = Math.min(cost, mostTokens()); left > 0; left -= Math.min(left, algorithm.capacity())) {
            long part = Math.min(left, algorithm.capacity());
            long fits = mostThatFits(spent, now, part);
            spent = fits == 0 ? spent : algorithm.spend(spent, now, fits);
            if (fits < part) {
                return algorithm.spendRefused(spent, now, part - fits);
            }
        }
        return spent;
    }

    /** Found by halving: what is admitted of a cost is admitted of a smaller one. */
    private long mostThatFits(long[] state, Moment now, long cost) {
        if (fits(state, now, cost)) {
            return cost;
        }
        long fits = 0;
        long tooMuch = cost;
        while (tooMuch - fits > 1) {
            long middle = fits + (tooMuch - fits) / 2;
            if (fits(state, now, middle)) {
                fits = middle;
            } else {
                tooMuch = middle;
            }
        }
        return fits;
    }

    private boolean fits(long[] state, Moment now, long cost) {
        return algorithm.isGranted(algorithm.waitNanos(state, now, cost), mostOwedNanos());
    }

    /**
     * More than a full bucket can be charged: what it holds, and as much once more or what refills in a longer time that the
     * charge allows. At rates above a token a nanosecond, time alone would let millions of parts be owed.
     */
    private long mostTokens() {
        double refilled = Refilling.tokens(limit, allowedNanos) / algorithm.capacity();
        return LongMath.saturatedMultiply(MOST_PARTS + (long) Math.ceil(refilled), algorithm.capacity());
    }

    private long mostOwedNanos() {
        long fillNanos = LongMath.saturatedMultiply(limit.period().toNanos() / limit.tokens() + 1, limit.capacity());
        return Math.max(fillNanos, allowedNanos);
    }
}
