package io.ratelimit.server.console;

import io.ratelimit.server.traffic.ActivitySeries;
import java.time.Duration;
import java.util.List;

/**
 * What was decided in the last minutes or hours, in numbers.
 *
 * @param rows one for each length of time, the shortest first
 */
record Totals(List<Row> rows) {

    /**
     * One length of time.
     *
     * @param time its words, such as {@code last 5 minutes}
     * @param allowed how many requests passed
     * @param refused how many were refused
     * @param shadow how many would have been refused by shadow rules
     */
    record Row(String time, long allowed, long refused, long shadow) {

        String refusedPercent() {
            return Counted.percent(refused, allowed + refused);
        }
    }

    /** Those of the last slots of a series of one rule, or of all rules together. */
    static Totals of(ActivitySeries series, List<Duration> lengths) {
        return new Totals(lengths.stream().map(length -> row(series, length)).toList());
    }

    private static Row row(ActivitySeries series, Duration length) {
        ActivitySeries.RuleSeries rule = series.rules().get(0);
        int slots = (int) length.dividedBy(series.resolution().slot());
        return new Row(
                words(length), last(rule.allowed(), slots), last(rule.refused(), slots), last(rule.shadow(), slots));
    }

    private static long last(List<Long> counts, int slots) {
        return counts.subList(Math.max(0, counts.size() - slots), counts.size()).stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private static String words(Duration length) {
        long hours = length.toHours();
        long count = hours > 0 ? hours : length.toMinutes();
        String unit = hours > 0 ? "hour" : "minute";
        return count == 1 ? "last " + unit : "last " + Counted.of(count, unit);
    }
}
