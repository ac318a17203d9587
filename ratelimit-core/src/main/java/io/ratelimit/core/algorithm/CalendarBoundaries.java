package io.ratelimit.core.algorithm;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;

/**
 * Windows of the calendar, by the wall clock. The mark is the {@linkplain CalendarWindows number} of the current window,
 * a tick a millisecond.
 *
 * <p>A wall clock may step. Forward, windows have passed. Back, by more than the {@linkplain #LONGEST_LAG lag} that
 * threads may have, the window in which the clock now lies becomes current and what was used stays used, so that nobody
 * waits for a window that lies days ahead; what is lost or won is the budget of one window. A smaller step back leaves
 * the state where it is until the clock has caught up.
 */
final class CalendarBoundaries implements Boundaries {

    private static final long NANOS_PER_MILLI = 1_000_000;

    /** Far more windows than any clock can name, and few enough that their differences are exact. */
    private static final long FARTHEST_MARK = 1L << 53;

    private final CalendarPeriod period;
    private final ZoneId zone;
    private final CalendarWindows windows;

    private CalendarBoundaries(CalendarPeriod period, ZoneId zone) {
        this.period = period;
        this.zone = zone;
        this.windows = CalendarWindows.of(period, zone.getRules());
    }

    static CalendarBoundaries of(Duration window, ZoneId zone) {
        return new CalendarBoundaries(CalendarPeriod.of(window), zone);
    }

    @Override
    public long first(Moment now) {
        return windows.indexAt(now.epochMillis());
    }

    @Override
    public long again(long mark, Moment now) {
        return current(mark, now);
    }

    @Override
    public long passed(long mark, Moment now) {
        return Math.max(0, windows.indexAt(now.epochMillis()) - mark);
    }

    @Override
    public long current(long mark, Moment now) {
        long index = windows.indexAt(now.epochMillis());
        if (index >= mark) {
            return index;
        }
        boolean isLag = windows.indexAt(now.epochMillis() + LONGEST_LAG.toMillis()) >= mark;
        return isLag ? mark : index;
    }

    @Override
    public long after(long mark, long count) {
        return mark + count;
    }

    /** After a step back of the clock what was counted later is counted in the current window. */
    @Override
    public long between(long earlier, long later) {
        return Math.max(0, later - earlier);
    }

    @Override
    public long lengthTicks(long mark) {
        return windows.beginMillis(mark + 1) - windows.beginMillis(mark);
    }

    @Override
    public long ticksToEnd(long mark, Moment now) {
        return windows.beginMillis(mark + 1) - now.epochMillis();
    }

    @Override
    public long nanosPerTick() {
        return NANOS_PER_MILLI;
    }

    @Override
    public long depart(long mark, Moment now) {
        return mark;
    }

    @Override
    public long arrive(long departed, Moment now) {
        if (departed < -FARTHEST_MARK || departed > FARTHEST_MARK) {
            throw new IllegalArgumentException("the calendar has no window number " + departed);
        }
        return departed;
    }

    /** Equal if windows are the same, so that a state of one is a state of the other. */
    @Override
    public boolean equals(Object other) {
        return other instanceof CalendarBoundaries that && period.equals(that.period) && zone.equals(that.zone);
    }

    @Override
    public int hashCode() {
        return Objects.hash(period, zone);
    }
}
