package io.ratelimit.core.bucket;

import io.ratelimit.LimitState;
import io.ratelimit.core.algorithm.CellRate;
import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.core.algorithm.TokenBucket;
import org.jspecify.annotations.Nullable;

/**
 * Limits that all refill evenly. A client's state is one word for each then, so that all are asked and spent in an array
 * of words, without an object. Immutable; safe for use by any thread.
 */
final class EvenRates {

    private final CellRate[] rates;

    private EvenRates(CellRate[] rates) {
        this.rates = rates;
    }

    /** The limits' rates, or null if one of them counts in another way. */
    static @Nullable EvenRates of(LimitAlgorithm[] algorithms) {
        CellRate[] rates = new CellRate[algorithms.length];
        for (int i = 0; i < rates.length; i++) {
            if (!(algorithms[i] instanceof TokenBucket bucket)) {
                return null;
            }
            rates[i] = bucket.rate();
        }
        return new EvenRates(rates);
    }

    /** How many limits there are, at least 1. */
    int count() {
        return rates.length;
    }

    /** One limit's rate. */
    CellRate rate(int limit) {
        return rates[limit];
    }

    /**
     * Whether all limits admit a cost.
     *
     * @param words where the states are, one after the other
     * @param from the place of the first
     */
    boolean admits(long[] words, int from, long nanos, long cost) {
        for (int i = 0; i < rates.length; i++) {
            if (!rates[i].admits(words[from + i], nanos, cost)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Spends a cost that all limits admit.
     *
     * @param words where the states are, one after the other; they are replaced
     * @param from the place of the first
     */
    void spend(long[] words, int from, long nanos, long cost) {
        if (cost > 0) {
            for (int i = 0; i < rates.length; i++) {
                words[from + i] = rates[i].spend(words[from + i], nanos, cost);
            }
        }
    }

    /**
     * What one limit says of a cost.
     *
     * @param missed the cost if it was refused, 0 if it was spent
     */
    LimitState describe(int limit, long state, long nanos, long missed) {
        return rates[limit].describe(state, nanos, rates[limit].waitNanos(state, nanos, missed));
    }
}
