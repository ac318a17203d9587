package io.ratelimit.rules;

import java.time.Duration;

/**
 * The spelling of a duration in a rules file: a whole number of the largest unit that divides it, such as {@code 15m}, or
 * ISO 8601 where it is no whole number of milliseconds.
 *
 * @param duration the duration, at least 0
 */
record DurationText(Duration duration) {

    @Override
    public String toString() {
        long nanos = duration.toNanos();
        for (Unit unit : Unit.values()) {
            if (nanos % unit.nanos == 0) {
                return nanos / unit.nanos + unit.sign;
            }
        }
        return duration.toString();
    }

    private enum Unit {
        DAYS("d", 86_400_000_000_000L),
        HOURS("h", 3_600_000_000_000L),
        MINUTES("m", 60_000_000_000L),
        SECONDS("s", 1_000_000_000L),
        MILLIS("ms", 1_000_000L);

        private final String sign;
        private final long nanos;

        Unit(String sign, long nanos) {
            this.sign = sign;
            this.nanos = nanos;
        }
    }
}
