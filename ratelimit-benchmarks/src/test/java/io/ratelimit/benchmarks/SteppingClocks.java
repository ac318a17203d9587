package io.ratelimit.benchmarks;

import io.ratelimit.TimeSource;
import java.util.concurrent.atomic.AtomicLong;

/** Clocks that are a microsecond later at each look, so that the same calls see the same times on every machine. */
final class SteppingClocks implements TimeSource {

    private static final long STEP_NANOS = 1_000;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long START_MILLIS = 1_700_000_000_000L;

    private final AtomicLong nanos = new AtomicLong();

    @Override
    public long nanoTime() {
        return nanos.addAndGet(STEP_NANOS);
    }

    @Override
    public long currentTimeMillis() {
        return START_MILLIS + nanos.get() / NANOS_PER_MILLI;
    }
}
