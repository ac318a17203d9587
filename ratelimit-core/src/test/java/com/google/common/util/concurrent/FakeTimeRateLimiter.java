package com.google.common.util.concurrent;

import java.util.concurrent.TimeUnit;

/**
 * Guava's warming-up limiter on a clock that stands still but for pauses and waits, counted in microseconds as Guava
 * counts them. Stands in Guava's package because the constructor that takes a clock is visible only there.
 */
public final class FakeTimeRateLimiter {

    private static final double COLD_FACTOR = 3;

    private final Clock clock = new Clock();
    private final RateLimiter limiter;

    /**
     * Makes a limiter that is cold.
     *
     * @param permitsPerSecond the stable rate
     * @param warmUpMicros the warm-up period
     */
    public FakeTimeRateLimiter(double permitsPerSecond, long warmUpMicros) {
        limiter = RateLimiter.create(permitsPerSecond, warmUpMicros, TimeUnit.MICROSECONDS, COLD_FACTOR, clock);
    }

    /**
     * Lets time pass.
     *
     * @param micros how much
     */
    public void pause(long micros) {
        clock.micros += micros;
    }

    /**
     * Acquires permits and waits for them.
     *
     * @param permits at least 1
     * @return the wait in microseconds
     */
    public long acquire(int permits) {
        long before = clock.micros;
        limiter.acquire(permits);
        return clock.micros - before;
    }

    /**
     * Reserves permits without waiting for them.
     *
     * @param permits at least 1
     * @return the wait in microseconds
     */
    public long reserve(int permits) {
        return limiter.reserve(permits);
    }

    private static final class Clock extends RateLimiter.SleepingStopwatch {
        private long micros;

        @Override
        protected long readMicros() {
            return micros;
        }

        @Override
        protected void sleepMicrosUninterruptibly(long time) {
            micros += time;
        }
    }
}
