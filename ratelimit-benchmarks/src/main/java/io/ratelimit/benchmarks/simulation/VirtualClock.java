package io.ratelimit.benchmarks.simulation;

import io.ratelimit.TimeSource;

/** The time of all hosts of a simulation. Used by one thread. */
final class VirtualClock implements TimeSource {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private long nanos;

    void advanceTo(long now) {
        nanos = now;
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public long currentTimeMillis() {
        return nanos / NANOS_PER_MILLI;
    }
}
