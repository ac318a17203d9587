package io.ratelimit.core.retrieve;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The times of listening to a rules service.
 *
 * @param silence a stream without a line for so long is cut
 * @param steady a stream that has lasted so long makes up for failures before it; longer than the silence, so that a
 *     stream that brings nothing is none
 * @param first the longest pause after the first failure, doubled for each further one in a row
 * @param longest the longest pause
 * @param refused the pause where the service refuses to be listened to, half of it added or taken away
 */
record PushSchedule(Duration silence, Duration steady, Duration first, Duration longest, Duration refused) {

    static final PushSchedule DEFAULT = new PushSchedule(
            Duration.ofSeconds(30),
            Duration.ofMinutes(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(30),
            Duration.ofMinutes(2));

    /** Anything up to the longest pause (full jitter): all hosts have lost a service that restarts at the same moment. */
    Duration pause(int failuresInARow, RandomGenerator random) {
        double most = Math.scalb((double) first.toNanos(), Math.min(failuresInARow, 64) - 1);
        return Duration.ofNanos((long) (random.nextDouble() * Math.min(most, (double) longest.toNanos())));
    }

    Duration pauseWhenRefused(RandomGenerator random) {
        return Duration.ofNanos((long) (refused.toNanos() * (0.5 + random.nextDouble())));
    }
}
