package io.ratelimit.client.http;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How long to wait before an attempt is repeated. Without a word from the server, a random time up to a ceiling that
 * doubles with each attempt ("full jitter": M. Brooker, Exponential Backoff And Jitter, AWS Architecture Blog, 2015). Where
 * the server has said how long, that, and a random time on top, so that those who were told the same do not come back
 * together. Immutable; as thread-safe as its source of randomness.
 *
 * @param base the ceiling of the first wait, at least 0
 * @param cap the ceiling of all waits that the server has not stated
 * @param random draws the waits
 */
record Backoff(Duration base, Duration cap, RandomGenerator random) {

    /** A stated wait is exceeded by up to this part of it: 1,000 callers come back over a second and more. */
    private static final int SPREAD = 4;

    /**
     * Waits in nanoseconds never overflow.
     *
     * @throws IllegalArgumentException if a time is negative, or the cap is less than the base
     */
    Backoff {
        if (base.isNegative() || cap.compareTo(base) < 0) {
            throw new IllegalArgumentException("the first wait is " + base + " and the longest " + cap
                    + ": they must be at least 0, and in order");
        }
    }

    /**
     * The wait before the next attempt.
     *
     * @param failed how many attempts have failed, at least 1
     * @param stated how long the server wants to be left alone, or null
     * @return at least what was stated, at least 0
     */
    Duration after(int failed, @Nullable Duration stated) {
        long ceiling = ceilingNanos(failed);
        if (stated == null) {
            return Duration.ofNanos(upTo(ceiling));
        }
        long spread = Math.max(ceiling, saturated(stated.dividedBy(SPREAD)));
        return stated.plusNanos(upTo(spread));
    }

    /** Doubled until it reaches the cap, and never less than before. */
    private long ceilingNanos(int failed) {
        long most = saturated(cap);
        long ceiling = saturated(base);
        for (int i = 1; i < failed && ceiling > 0 && ceiling < most; i++) {
            ceiling = ceiling > most / 2 ? most : 2 * ceiling;
        }
        return Math.min(ceiling, most);
    }

    private long upTo(long nanos) {
        return nanos == Long.MAX_VALUE ? random.nextLong(nanos) : random.nextLong(nanos + 1);
    }

    private static long saturated(Duration time) {
        try {
            return time.toNanos();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }
}
