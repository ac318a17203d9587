package io.ratelimit.core.http;

import io.ratelimit.TimeSource;

/** How {@code X-RateLimit-Reset} tells a point in time; clients in the field expect one of the three. */
public enum ResetFormat {
    /** Seconds since the UNIX epoch. */
    EPOCH_SECONDS("epoch-seconds") {
        @Override
        long after(long seconds, TimeSource timeSource) {
            return Math.floorDiv(timeSource.currentTimeMillis(), 1_000L) + seconds;
        }
    },
    /** Milliseconds since the UNIX epoch. */
    EPOCH_MILLIS("epoch-millis") {
        @Override
        long after(long seconds, TimeSource timeSource) {
            return timeSource.currentTimeMillis() + seconds * 1_000;
        }
    },
    /** Seconds from now. */
    DELTA_SECONDS("delta-seconds") {
        @Override
        long after(long seconds, TimeSource timeSource) {
            return seconds;
        }
    };

    private final String word;

    ResetFormat(String word) {
        this.word = word;
    }

    /** The value that settings use. */
    String word() {
        return word;
    }

    /** The point in time so many seconds from now, rounded down, so that a wait in seconds never ends before it. */
    abstract long after(long seconds, TimeSource timeSource);
}
