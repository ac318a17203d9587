package io.ratelimit.core.permits;

import io.ratelimit.TimeSource;
import java.time.Duration;

/** What is left of the time that a caller would wait. Immutable. */
final class Countdown {

    private final TimeSource timeSource;
    private final long start;
    private final long nanos;

    private Countdown(TimeSource timeSource, long nanos) {
        this.timeSource = timeSource;
        this.start = timeSource.nanoTime();
        this.nanos = nanos;
    }

    static Countdown of(Duration time, TimeSource timeSource) {
        return new Countdown(timeSource, nanosOf(time));
    }

    static Countdown endless(TimeSource timeSource) {
        return new Countdown(timeSource, Long.MAX_VALUE);
    }

    /** Nanoseconds, at least 0. */
    long leftNanos() {
        return Math.max(0, nanos - (timeSource.nanoTime() - start));
    }

    /** Nanoseconds, at least 0; 292 years where it is longer. */
    static long nanosOf(Duration time) {
        if (time.isNegative()) {
            return 0;
        }
        return time.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0 ? Long.MAX_VALUE : time.toNanos();
    }
}
