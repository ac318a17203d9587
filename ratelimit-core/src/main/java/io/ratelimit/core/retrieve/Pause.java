package io.ratelimit.core.retrieve;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How a thread waits; tests wait otherwise. */
@FunctionalInterface
interface Pause {

    /** Lets the thread sleep. */
    Pause SLEEP = duration -> TimeUnit.NANOSECONDS.sleep(duration.toNanos());

    void sleep(Duration duration) throws InterruptedException;
}
