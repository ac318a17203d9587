package io.ratelimit.core.http;

import io.ratelimit.LimitState;
import io.ratelimit.rules.Limit;
import java.math.BigInteger;

/**
 * Times as HTTP tells them: whole seconds, rounded up, so that who comes back after the time told is not refused again.
 */
final class Waits {

    /** No time is told: waiting cannot help, or there is nothing to wait for. */
    static final long NONE = LimitState.NEVER;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private Waits() {}

    /** The seconds until a limit admits what it refused, at least 1; {@link #NONE} where no waiting can help. */
    static long untilAdmitted(LimitState state) {
        return state.waitNanos() == LimitState.NEVER ? NONE : Math.max(1, secondsUp(state.waitNanos()));
    }

    /** The seconds until one more token is there; 0 for a full bucket. */
    static long untilNextToken(LimitState state) {
        return secondsUp(state.nextTokenNanos());
    }

    /** Whether tokens come back with time. */
    static boolean isTimed(Limit limit) {
        return !limit.period().isZero();
    }

    /** The seconds in which an empty bucket fills, at least 1 and at most what RFC 9651 can write. */
    static long toFill(Limit limit) {
        if (limit.isBlocked()) {
            return 1;
        }
        long nanos = limit.period().toNanos();
        long high = Math.multiplyHigh(nanos, limit.capacity());
        long low = nanos * limit.capacity();
        long seconds = high == 0 && low >= 0
                ? secondsUp(divideUp(low, limit.tokens()))
                : toFillBeyondLong(nanos, limit.capacity(), limit.tokens());
        return Math.max(1, seconds);
    }

    private static long toFillBeyondLong(long nanos, long capacity, long tokens) {
        BigInteger[] seconds = BigInteger.valueOf(nanos)
                .multiply(BigInteger.valueOf(capacity))
                .divideAndRemainder(BigInteger.valueOf(tokens).multiply(BigInteger.valueOf(NANOS_PER_SECOND)));
        BigInteger roundedUp = seconds[1].signum() == 0 ? seconds[0] : seconds[0].add(BigInteger.ONE);
        return roundedUp.min(BigInteger.valueOf(Limit.MOST_TOKENS)).longValueExact();
    }

    private static long secondsUp(long nanos) {
        return divideUp(nanos, NANOS_PER_SECOND);
    }

    private static long divideUp(long dividend, long divisor) {
        return dividend / divisor + (dividend % divisor == 0 ? 0 : 1);
    }
}
