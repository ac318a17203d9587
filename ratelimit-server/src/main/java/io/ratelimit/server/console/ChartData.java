package io.ratelimit.server.console;

import io.ratelimit.server.traffic.ActivitySeries;
import java.util.List;

/**
 * What a chart draws.
 *
 * @param times when slots begin, in milliseconds since the epoch; the last one is not over yet
 * @param next what to ask for next as {@code since}: slots from here on may still grow
 * @param slotMillis how long a slot is
 * @param allowed how many requests passed, slot by slot
 * @param refused how many were refused
 * @param shadow how many would have been refused by shadow rules
 */
record ChartData(
        List<Long> times, long next, long slotMillis, List<Long> allowed, List<Long> refused, List<Long> shadow) {

    /** That of a series of one rule, or of all rules together. */
    static ChartData of(ActivitySeries series) {
        ActivitySeries.RuleSeries rule = series.rules().get(0);
        return new ChartData(
                series.times(),
                series.next(),
                series.resolution().slot().toMillis(),
                rule.allowed(),
                rule.refused(),
                rule.shadow());
    }
}
