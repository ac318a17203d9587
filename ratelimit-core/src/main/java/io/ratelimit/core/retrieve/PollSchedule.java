package io.ratelimit.core.retrieve;

import io.ratelimit.rules.RulesSource;
import java.time.Duration;

/**
 * How often a source is asked. Jitter of up to a fifth is added or taken away, so that hosts that started together do
 * not ask together.
 *
 * @param interval the time between two retrievals while the source answers; zero if it is asked only once
 * @param maxInterval the longest time between two retrievals, jitter included: while the source fails, the interval is
 *     doubled after each failure up to this; where it equals {@code interval}, a failing source is asked as often as
 *     any
 */
public record PollSchedule(Duration interval, Duration maxInterval) {

    /** For what cannot change: one retrieval at the start, none after it. */
    public static final PollSchedule ONCE = new PollSchedule(Duration.ZERO, Duration.ZERO);

    private static final Duration HTTP_MAX_INTERVAL = Duration.ofMinutes(1);
    private static final PollSchedule OTHERS = new PollSchedule(Duration.ofSeconds(5), HTTP_MAX_INTERVAL);

    /** Checks the range. */
    public PollSchedule {
        if (interval.isNegative() || (!interval.isZero() && interval.compareTo(Duration.ofMillis(10)) < 0)) {
            throw new IllegalArgumentException(
                    "the poll interval is " + interval + ": it must be zero, for never, or at least 10 ms");
        }
        if (maxInterval.compareTo(interval) < 0 || maxInterval.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("the longest poll interval is " + maxInterval
                    + ": it must be at least the poll interval, " + interval + ", and at most one day");
        }
    }

    /**
     * The schedule for a source where none is configured: every second for a file, every 5 seconds for HTTP and for a
     * source of the application's own (at most a minute apart while it fails), once for the class path.
     *
     * @param source the source
     * @return its schedule
     */
    public static PollSchedule defaultFor(RulesSource source) {
        return source instanceof PolledRulesSource polled ? polled.defaultSchedule() : OTHERS;
    }

    /**
     * The schedule for a source where only the interval is configured.
     *
     * @param source the source
     * @param interval the time between two retrievals, at least 10 ms and at most a day; zero for never again
     * @return the source's schedule with that interval
     * @throws IllegalArgumentException if the interval is out of range
     */
    public static PollSchedule of(RulesSource source, Duration interval) {
        PollSchedule usual = defaultFor(source);
        boolean backsOff = usual.maxInterval.compareTo(usual.interval) > 0;
        boolean longer = usual.maxInterval.compareTo(interval) > 0;
        return new PollSchedule(interval, backsOff && longer ? usual.maxInterval : interval);
    }

    static PollSchedule files() {
        return of(Duration.ofSeconds(1));
    }

    static PollSchedule http() {
        return OTHERS;
    }

    private static PollSchedule of(Duration interval) {
        return new PollSchedule(interval, interval);
    }
}
