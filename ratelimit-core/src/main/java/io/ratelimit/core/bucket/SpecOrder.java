package io.ratelimit.core.bucket;

import io.ratelimit.rules.Limit;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;

/**
 * Which of two specs of one bucket counts: the newer one, and of one version the tighter one, so that a limit that was
 * tightened without another version bites all the same. What counts comes last. A total order, consistent with equals:
 * the version, then the slowest of the limits' rates, then the smallest capacity, then the number of limits, then the
 * limits one after the other, down to words that are only there to decide what is as tight.
 */
final class SpecOrder implements Comparator<CompiledSpec> {

    private static final Comparator<Limit> SLOWER_LAST = (one, other) -> compareRates(other, one);

    private static final Comparator<Limit> BY_LIMIT = SLOWER_LAST
            .thenComparing(Comparator.comparingLong(Limit::capacity).reversed())
            .thenComparing(Limit::period)
            .thenComparing(Limit::algorithm)
            .thenComparing(limit -> limit.options().toString());

    @Override
    public int compare(CompiledSpec one, CompiledSpec other) {
        int byVersion = Long.compare(one.version(), other.version());
        return byVersion != 0 || one.equals(other) ? byVersion : compareTightness(one.limits(), other.limits());
    }

    private static int compareTightness(List<Limit> one, List<Limit> other) {
        int byRate = SLOWER_LAST.compare(slowest(one), slowest(other));
        if (byRate != 0) {
            return byRate;
        }
        int byCapacity = Long.compare(smallestCapacity(other), smallestCapacity(one));
        if (byCapacity != 0) {
            return byCapacity;
        }
        int bySize = Integer.compare(one.size(), other.size());
        return bySize != 0 ? bySize : compareLimits(one, other);
    }

    private static int compareLimits(List<Limit> one, List<Limit> other) {
        for (int i = 0; i < one.size(); i++) {
            int byLimit = BY_LIMIT.compare(one.get(i), other.get(i));
            if (byLimit != 0) {
                return byLimit;
            }
        }
        return 0;
    }

    private static Limit slowest(List<Limit> limits) {
        return limits.stream().min(SpecOrder::compareRates).orElseThrow();
    }

    private static long smallestCapacity(List<Limit> limits) {
        return limits.stream().mapToLong(Limit::capacity).min().orElseThrow();
    }

    /** Tokens per time, as fractions; requests in flight have no period, and no rate could be slower. */
    private static int compareRates(Limit one, Limit other) {
        return product(one.tokens(), other.period().toNanos())
                .compareTo(product(other.tokens(), one.period().toNanos()));
    }

    private static BigInteger product(long one, long other) {
        return BigInteger.valueOf(one).multiply(BigInteger.valueOf(other));
    }
}
