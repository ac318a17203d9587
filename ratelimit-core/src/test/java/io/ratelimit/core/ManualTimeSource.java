package io.ratelimit.core;

import io.ratelimit.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** Clocks that stand still until a test moves them. */
public final class ManualTimeSource implements TimeSource {

    private final AtomicLong nanos;
    private final AtomicLong millis =
            new AtomicLong(Instant.parse("2026-11-01T12:00:00Z").toEpochMilli());

    public ManualTimeSource() {
        this(0);
    }

    public ManualTimeSource(long origin) {
        nanos = new AtomicLong(origin);
    }

    /** Lets time pass on both clocks. */
    public void advance(Duration duration) {
        nanos.addAndGet(duration.toNanos());
        millis.addAndGet(duration.toMillis());
    }

    /** Sets the wall clock, as an operator or NTP would; the monotonic clock does not notice. */
    public void stepWallClock(Duration step) {
        millis.addAndGet(step.toMillis());
    }

    @Override
    public long nanoTime() {
        return nanos.get();
    }

    @Override
    public long currentTimeMillis() {
        return millis.get();
    }
}
