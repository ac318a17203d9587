package io.ratelimit.core;

import io.ratelimit.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clocks that stand still until a test moves them: for an engine whose buckets refill when the test says so. The wall clock
 * starts at 2023-11-14T22:13:20Z. Thread-safe.
 */
public final class ManualTimeSource implements TimeSource {

    private static final long START_MILLIS = 1_700_000_000_000L;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final AtomicLong nanos;
    private final AtomicLong wallNanos = new AtomicLong();

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
        return START_MILLIS + Math.floorDiv(wallNanos.get(), NANOS_PER_MILLI);
    }

    /**
     * Moves both clocks on.
     *
     * @param time how far
     * @throws ArithmeticException if that is more than {@link Long#MAX_VALUE} nanoseconds, which are 292 years
     */
    public void advance(Duration time) {
        advanceNanos(time.toNanos());
    }

    /**
     * Moves both clocks on.
     *
     * @param time how far, in nanoseconds
     */
    public void advanceNanos(long time) {
        nanos.addAndGet(time);
        wallNanos.addAndGet(time);
    }

    /**
     * Steps the wall clock, as an operator or a time server might; the monotonic clock does not notice.
     *
     * @param step how far, backwards if it is negative
     */
    public void stepWallClock(Duration step) {
        wallNanos.addAndGet(step.toNanos());
    }
}
