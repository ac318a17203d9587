package io.ratelimit.benchmarks.scale;

import io.ratelimit.TimeSource;
import java.time.Duration;

/**
 * The machine's clock, which can be put forward: what takes minutes until a table has settled is over as soon as the
 * calls are made. One thread puts it forward; any may read it.
 */
final class StoreTime implements TimeSource {

    private final TimeSource machine = TimeSource.system();

    private volatile long ahead;

    @Override
    public long nanoTime() {
        return machine.nanoTime() + ahead;
    }

    @Override
    public long currentTimeMillis() {
        return machine.currentTimeMillis();
    }

    /** Puts the clock forward to a time, unless that is over. */
    void skipTo(long nanos) {
        long missing = nanos - nanoTime();
        if (missing > 0) {
            put(missing);
        }
    }

    void skip(Duration time) {
        put(time.toNanos());
    }

    private void put(long nanos) {
        long before = ahead;
        ahead = before + nanos;
    }

    /** Waits for a time without giving the processor away, which would come back late. */
    void spinTo(long nanos) {
        while (nanoTime() - nanos < 0) {
            Thread.onSpinWait();
        }
    }
}
