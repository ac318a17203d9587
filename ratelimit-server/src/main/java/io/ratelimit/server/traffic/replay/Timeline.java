package io.ratelimit.server.traffic.replay;

import io.ratelimit.TimeSource;
import io.ratelimit.core.ManualTimeSource;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/** The time of a replay, with what is due later. Not thread-safe. */
final class Timeline {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final ManualTimeSource clock = new ManualTimeSource();
    private final PriorityQueue<Due> due =
            new PriorityQueue<>(Comparator.comparingLong(Due::nanos).thenComparingLong(Due::number));
    private final long beginMillis;
    private long nanos;
    private long number;

    private record Due(long nanos, long number, Runnable task) {}

    /**
     * Begins.
     *
     * @param beginMillis in milliseconds since the epoch
     */
    Timeline(long beginMillis) {
        this.beginMillis = beginMillis;
        clock.stepWallClock(Duration.ofMillis(beginMillis - clock.currentTimeMillis()));
    }

    TimeSource clock() {
        return clock;
    }

    /** Goes on to a time, and does on the way what is due by then. */
    void moveTo(long millisSinceEpoch) {
        long target = (millisSinceEpoch - beginMillis) * NANOS_PER_MILLI;
        for (Due next = due.peek(); next != null && next.nanos <= target; next = due.peek()) {
            due.remove();
            advanceTo(next.nanos);
            next.task.run();
        }
        advanceTo(target);
    }

    private void advanceTo(long target) {
        clock.advanceNanos(target - nanos);
        nanos = target;
    }

    /**
     * Does something later; of what is due at one time, what was said first.
     *
     * @param wait from now on, in nanoseconds, at least 0
     */
    void later(long wait, Runnable task) {
        due.add(new Due(nanos + wait, number++, task));
    }
}
