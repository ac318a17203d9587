package io.ratelimit.core.algorithm;

import java.time.Instant;
import java.time.zone.ZoneRules;

/**
 * Parts of a day that no change of the zone's clock shifts, since each is a multiple of the part: minutes and hours in
 * nearly all zones. All are equally long; an hour that is repeated at the end of summer is a window of its own, and one
 * that is skipped is none.
 *
 * @param windowMillis the length of a window
 * @param offsetMillis how far local time is ahead of UTC, but for multiples of the length
 */
record EvenWindows(long windowMillis, long offsetMillis) implements CalendarWindows {

    /** Older changes do not count: some are of odd seconds, from mean solar time. */
    private static final Instant FIRST_CHANGE = Instant.parse("2000-01-01T00:00:00Z");

    static EvenWindows of(long windowMillis, ZoneRules rules) {
        return new EvenWindows(windowMillis, rules.getOffset(FIRST_CHANGE).getTotalSeconds() * 1_000L);
    }

    /**
     * Whether windows of this length are even in a zone.
     *
     * @param windowMillis the length of a window, a divisor of a day
     * @param rules the zone's rules
     * @return true if all changes of the zone's clock are multiples of it
     */
    static boolean fit(long windowMillis, ZoneRules rules) {
        boolean changesFit = rules.getTransitions().stream()
                .filter(change -> !change.getInstant().isBefore(FIRST_CHANGE))
                .allMatch(change -> change.getDuration().toMillis() % windowMillis == 0);
        return changesFit
                && rules.getTransitionRules().stream()
                        .map(rule -> rule.getOffsetAfter().getTotalSeconds()
                                - rule.getOffsetBefore().getTotalSeconds())
                        .allMatch(seconds -> seconds * 1_000L % windowMillis == 0);
    }

    @Override
    public long indexAt(long epochMillis) {
        return Math.floorDiv(epochMillis + offsetMillis, windowMillis);
    }

    @Override
    public long beginMillis(long index) {
        return index * windowMillis - offsetMillis;
    }
}
