package io.ratelimit.core.bucket;

import io.ratelimit.core.algorithm.TokenBucket;
import java.math.BigInteger;
import java.util.Comparator;

/**
 * Which of two specs of one bucket counts: the newer one, and of one version the tighter one, so that a limit that was
 * tightened without another version bites all the same. What counts comes last. A total order, consistent with equals:
 * the version, then the slowest of the limits' rates, then the smallest capacity, then the number of limits, then the
 * limits one after the other, down to numbers that are only there to decide what is as tight.
 */
final class SpecOrder implements Comparator<CompiledSpec> {

    private static final Comparator<TokenBucket> FASTER_FIRST = (one, other) -> compareRates(other, one);

    private static final Comparator<TokenBucket> BY_NUMBERS = FASTER_FIRST
            .thenComparing(Comparator.comparingLong(TokenBucket::capacity).reversed())
            .thenComparingLong(TokenBucket::unitsPerToken)
            .thenComparingLong(TokenBucket::unitsPerTick)
            .thenComparingLong(TokenBucket::nanosPerTick);

    @Override
    public int compare(CompiledSpec one, CompiledSpec other) {
        int byVersion = Long.compare(one.version(), other.version());
        return byVersion != 0 || one.equals(other) ? byVersion : compareTightness(one, other);
    }

    private static int compareTightness(CompiledSpec one, CompiledSpec other) {
        int byRate = FASTER_FIRST.compare(slowest(one), slowest(other));
        if (byRate != 0) {
            return byRate;
        }
        int byCapacity = Long.compare(smallestCapacity(other), smallestCapacity(one));
        if (byCapacity != 0) {
            return byCapacity;
        }
        int bySize = Integer.compare(one.size(), other.size());
        return bySize != 0 ? bySize : compareNumbers(one, other);
    }

    private static int compareNumbers(CompiledSpec one, CompiledSpec other) {
        for (int i = 0; i < one.size(); i++) {
            int byLimit = BY_NUMBERS.compare(one.limit(i), other.limit(i));
            int byPeriod = Long.compare(one.periodNanos(i), other.periodNanos(i));
            if (byLimit != 0 || byPeriod != 0) {
                return byLimit != 0 ? byLimit : byPeriod;
            }
        }
        return 0;
    }

    private static TokenBucket slowest(CompiledSpec spec) {
        TokenBucket slowest = spec.limit(0);
        for (int i = 1; i < spec.size(); i++) {
            slowest = compareRates(spec.limit(i), slowest) < 0 ? spec.limit(i) : slowest;
        }
        return slowest;
    }

    private static long smallestCapacity(CompiledSpec spec) {
        long smallest = spec.limit(0).capacity();
        for (int i = 1; i < spec.size(); i++) {
            smallest = Math.min(smallest, spec.limit(i).capacity());
        }
        return smallest;
    }

    /** Tokens per time, as fractions; a limit that blocks has none. */
    private static int compareRates(TokenBucket one, TokenBucket other) {
        return product(earned(one), other.unitsPerToken(), other.nanosPerTick())
                .compareTo(product(earned(other), one.unitsPerToken(), one.nanosPerTick()));
    }

    private static long earned(TokenBucket limit) {
        return limit.capacity() == 0 ? 0 : limit.unitsPerTick();
    }

    private static BigInteger product(long one, long other, long third) {
        return BigInteger.valueOf(one).multiply(BigInteger.valueOf(other)).multiply(BigInteger.valueOf(third));
    }
}
