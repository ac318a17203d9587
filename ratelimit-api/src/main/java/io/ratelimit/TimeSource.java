package io.ratelimit;

import java.time.Clock;

/**
 * The limiter's two clocks: a monotonic one that buckets are measured by, and the wall clock, which only tells clients
 * points in time. Thread-safe.
 */
public interface TimeSource {

    /**
     * The monotonic time. Only differences have meaning: the origin is arbitrary, values may be negative and may wrap
     * (see {@link System#nanoTime()}).
     *
     * @return nanoseconds
     */
    long nanoTime();

    /**
     * The wall clock.
     *
     * @return milliseconds since the UNIX epoch
     */
    long currentTimeMillis();

    /**
     * The clocks of this machine.
     *
     * @return the time source that every part uses unless told otherwise
     */
    static TimeSource system() {
        return new TimeSource() {
            @Override
            public long nanoTime() {
                return System.nanoTime();
            }

            @Override
            public long currentTimeMillis() {
                return Clock.systemUTC().millis();
            }
        };
    }
}
