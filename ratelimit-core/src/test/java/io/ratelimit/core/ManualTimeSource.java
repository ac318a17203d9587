package io.ratelimit.core;

import io.ratelimit.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** Clocks that stand still until a test moves them. Thread-safe. */
public final class ManualTimeSource implements TimeSource {

    private final AtomicLong nanos;
    private final AtomicLong millis =
            new AtomicLong(Instant.parse("2026-11-01T12:00:00Z").toEpochMilli());

    /** Starts the monotonic clock at 0. */
    public ManualTimeSource() {
        this(0);
    }

    /**
     * Starts the monotonic clock anywhere.
     *
     * @param originNanos its first value, which may be negative or close to where it wraps
     */
    public ManualTimeSource(long originNanos) {
        this.nanos = new AtomicLong(originNanos);
    }

    @Override
    public long nanoTime() {
        return nanos.get();
    }

    @Override
    public long currentTimeMillis() {
        return millis.get();
    }

    /**
     * Moves both clocks on.
     *
     * @param time how far
     */
    public void advance(Duration time) {
        nanos.addAndGet(time.toNanos());
        millis.addAndGet(time.toMillis());
    }

    /**
     * Moves the monotonic clock on.
     *
     * @param time how far, in nanoseconds
     */
    public void advanceNanos(long time) {
        nanos.addAndGet(time);
    }

    /**
     * Sets the wall clock, as an operator or a time server might.
     *
     * @param epochMillis milliseconds since the UNIX epoch
     */
    public void setWallClock(long epochMillis) {
        millis.set(epochMillis);
    }

    /**
     * Moves the wall clock alone; the monotonic clock does not notice.
     *
     * @param step how far, backwards if negative
     */
    public void stepWallClock(Duration step) {
        millis.addAndGet(step.toMillis());
    }
}
