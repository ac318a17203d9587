package io.ratelimit.core.algorithm;

import java.time.zone.ZoneRules;

/** The windows of a calendar, numbered in the order in which they come. */
interface CalendarWindows {

    /**
     * The windows of a period in a time zone.
     *
     * @param period the calendar's period
     * @param rules the zone's rules
     * @return the windows
     */
    static CalendarWindows of(CalendarPeriod period, ZoneRules rules) {
        return period instanceof CalendarPeriod.PartOfDay part && EvenWindows.fit(part.millis(), rules)
                ? EvenWindows.of(part.millis(), rules)
                : new ZonedWindows(period, rules);
    }

    /**
     * The window at a time. Never smaller for a later time.
     *
     * @param epochMillis the time
     * @return its number
     */
    long indexAt(long epochMillis);

    /**
     * When a window begins, which is when the one before it ends.
     *
     * @param index the window's number
     * @return milliseconds since the UNIX epoch
     */
    long beginMillis(long index);
}
