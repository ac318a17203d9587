package io.ratelimit.core.entry;

import io.ratelimit.core.algorithm.CellRate;
import io.ratelimit.core.algorithm.TokenBucket;
import io.ratelimit.core.bucket.CompiledSpec;
import org.jspecify.annotations.Nullable;

/**
 * Limits that a store's own script can count: they refill evenly, by the microsecond, in whole numbers that a double of
 * IEEE 754 holds exactly, which is all that scripts have.
 */
final class EvenRange {

    /** All whole numbers up to this one have a double of their own, which none beyond is rounded to. */
    static final long MOST = (1L << 53) - 1;

    /** Their number is one byte where entries lie. */
    private static final int MOST_LIMITS = 255;

    private static final long NANOS_PER_TICK = 1_000;

    private EvenRange() {}

    /** The rates of all limits, or null if one is none of these. */
    static CellRate @Nullable [] ratesOf(CompiledSpec spec) {
        if (spec.limits().size() > MOST_LIMITS) {
            return null;
        }
        CellRate[] rates = new CellRate[spec.limits().size()];
        for (int i = 0; i < rates.length; i++) {
            if (!(spec.algorithm(i) instanceof TokenBucket bucket) || !fits(bucket.rate())) {
                return null;
            }
            rates[i] = bucket.rate();
        }
        return rates;
    }

    private static boolean fits(CellRate rate) {
        return rate.nanosPerTick() == NANOS_PER_TICK
                && rate.unitsPerTick() <= MOST
                // Never beyond a long, as rates see to themselves.
                && rate.capacity() * rate.unitsPerToken() <= MOST;
    }
}
