package io.ratelimit.core.algorithm;

import io.ratelimit.LimitState;
import io.ratelimit.rules.Limit;
import java.math.BigInteger;

/**
 * The definition of a token bucket, in numbers of any size: what is missing, counted in tokens times nanoseconds of the
 * period, so that nothing is ever rounded. It knows of one thing only that the real bucket does: the length of a tick.
 */
final class ExactBucket {

    private final BigInteger tokens;
    private final BigInteger period;
    private final BigInteger capacity;
    private final long nanosPerTick;

    private BigInteger missing = BigInteger.ZERO;
    private long lastTick;

    ExactBucket(Limit limit, long nanosPerTick) {
        this.tokens = BigInteger.valueOf(limit.tokens());
        this.period = BigInteger.valueOf(limit.period().toNanos());
        this.capacity = BigInteger.valueOf(limit.capacity());
        this.nanosPerTick = nanosPerTick;
    }

    boolean spend(long nanos, long cost) {
        refill(nanos);
        BigInteger after = missing.add(BigInteger.valueOf(cost).multiply(period));
        if (cost > 0 && after.compareTo(capacity.multiply(period)) > 0) {
            return false;
        }
        missing = after;
        return true;
    }

    long remaining(long nanos) {
        refill(nanos);
        return capacity.multiply(period)
                .subtract(missing)
                .max(BigInteger.ZERO)
                .divide(period)
                .longValueExact();
    }

    long waitNanos(long nanos, long cost) {
        refill(nanos);
        if (BigInteger.valueOf(cost).compareTo(capacity) > 0) {
            return LimitState.NEVER;
        }
        BigInteger lacking =
                missing.add(BigInteger.valueOf(cost).multiply(period)).subtract(capacity.multiply(period));
        if (cost == 0 || lacking.signum() <= 0) {
            return 0;
        }
        BigInteger perTick = tokens.multiply(BigInteger.valueOf(nanosPerTick));
        BigInteger ticks = lacking.add(perTick).subtract(BigInteger.ONE).divide(perTick);
        return ticks.multiply(BigInteger.valueOf(nanosPerTick)).longValueExact();
    }

    private void refill(long nanos) {
        long tick = nanos / nanosPerTick;
        BigInteger elapsed = BigInteger.valueOf(tick - lastTick).multiply(BigInteger.valueOf(nanosPerTick));
        missing = missing.subtract(elapsed.multiply(tokens)).max(BigInteger.ZERO);
        lastTick = tick;
    }
}
