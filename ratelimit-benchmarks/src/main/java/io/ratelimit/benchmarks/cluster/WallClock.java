package io.ratelimit.benchmarks.cluster;

import com.hazelcast.internal.util.Clock;
import io.ratelimit.TimeSource;

/**
 * A wall clock that is wrong by as many milliseconds as a system property says, for the limiter and for Hazelcast, which
 * makes its own by the name of this class.
 */
public final class WallClock extends Clock.ClockImpl implements TimeSource {

    /** The system property, which may change at any time. */
    static final String OFFSET = "ratelimit.wallClockOffsetMillis";

    /** Makes a clock. */
    public WallClock() {}

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long currentTimeMillis() {
        return System.currentTimeMillis() + Long.getLong(OFFSET, 0);
    }

    /** The flags of a virtual machine whose clock is wrong. */
    static java.util.List<String> jvmFlags(long offsetMillis) {
        return java.util.List.of(
                "-D" + OFFSET + "=" + offsetMillis, "-Dcom.hazelcast.clock.impl=" + WallClock.class.getName());
    }
}
