package io.ratelimit.core.algorithm;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/**
 * Windows that begin when local time first reaches their beginning, so that local time that is repeated belongs to the
 * window that it was already in: a day has 23 or 25 hours where summer time begins or ends. A window whose whole local
 * time is skipped is empty.
 */
final class ZonedWindows implements CalendarWindows {

    private final CalendarPeriod period;
    private final ZoneRules rules;

    /**
     * The window that was asked for last, so that a decision does not work out dates. Threads may overwrite each
     * other's: each sees an immutable window or another one, and whichever it sees is right for its own bounds.
     */
    private Window last;

    ZonedWindows(CalendarPeriod period, ZoneRules rules) {
        this.period = period;
        this.rules = rules;
        this.last = find(0);
    }

    @Override
    public long indexAt(long epochMillis) {
        Window known = last;
        if (known.begin <= epochMillis && epochMillis < known.end) {
            return known.index;
        }
        Window found = find(epochMillis);
        last = found;
        return found.index;
    }

    @Override
    public long beginMillis(long index) {
        Window known = last;
        if (index == known.index) {
            return known.begin;
        }
        return index == known.index + 1 ? known.end : findBegin(index);
    }

    private Window find(long epochMillis) {
        Instant instant = Instant.ofEpochMilli(epochMillis);
        long index = period.indexOf(LocalDateTime.ofInstant(instant, rules.getOffset(instant)));
        // Local time that is repeated may lie before a boundary that was reached already.
        while (findBegin(index + 1) <= epochMillis) {
            index++;
        }
        return new Window(index, findBegin(index), findBegin(index + 1));
    }

    private long findBegin(long index) {
        LocalDateTime begin = period.begin(index);
        ZoneOffsetTransition change = rules.getTransition(begin);
        Instant instant = change != null && change.isGap()
                ? change.getInstant()
                : begin.toInstant(rules.getValidOffsets(begin).get(0));
        return instant.toEpochMilli();
    }

    private record Window(long index, long begin, long end) {}
}
