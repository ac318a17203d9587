package io.ratelimit.core.retrieve;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** The time until the next retrieval: the interval, doubled for each failure in a row, with jitter, capped. */
final class PollDelays {

    private static final double JITTER = 0.2;

    private final PollSchedule schedule;
    private final RandomGenerator random;

    PollDelays(PollSchedule schedule, RandomGenerator random) {
        this.schedule = schedule;
        this.random = random;
    }

    Duration next(int failuresInARow) {
        double wanted = Math.scalb((double) schedule.interval().toNanos(), Math.min(failuresInARow, 64));
        double max = schedule.maxInterval().toNanos();
        // Without backoff there is no cap to keep: the interval itself is jittered both ways.
        boolean backsOff = max > schedule.interval().toNanos();
        double jittered = Math.min(wanted, max) * (1 + JITTER * (2 * random.nextDouble() - 1));
        return Duration.ofNanos((long) (backsOff ? Math.min(jittered, max) : jittered));
    }
}
