package io.ratelimit.rules;

import java.time.ZoneId;

/** When the windows of a limit, or the periods of an interval refill, begin. */
public sealed interface Alignment {

    /** With the client's first request, so that clients do not come back all at once. */
    record Client() implements Alignment {}

    /**
     * With the calendar of a time zone, by the wall clock. The period is one that the calendar knows: one that divides a
     * day, or a day, 7 days for a week from Monday on, 30 days for a month, 365 days for a year.
     *
     * @param zone the time zone
     */
    record Clock(ZoneId zone) implements Alignment {}
}
