package io.ratelimit.benchmarks.scale;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How clients come and go. Each spends a token when it is new, and is called once more on average before that is back: so
 * it is here for the time in which two tokens come back. Immutable.
 *
 * @param live how many are here at a time
 * @param newcomersPerSecond how many come in a second, and how many go
 */
record Schedule(int live, int newcomersPerSecond) {

    private static final int CALLS_PER_CLIENT = 2;

    /** How long a token takes to come back, so that so many are here. */
    Duration tokenFillsIn() {
        return Duration.ofNanos(TimeUnit.SECONDS.toNanos(live) / newcomersPerSecond / CALLS_PER_CLIENT);
    }

    /** Every second call is one of somebody new. */
    long nanosBetweenCalls() {
        return TimeUnit.SECONDS.toNanos(1) / newcomersPerSecond / CALLS_PER_CLIENT;
    }
}
