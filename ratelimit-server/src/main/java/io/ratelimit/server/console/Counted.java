package io.ratelimit.server.console;

import io.ratelimit.server.traffic.replay.Estimate;
import java.util.Locale;

/** Numbers as people write them. */
final class Counted {

    /** Below so much of the whole, a percentage has a decimal place. */
    private static final double SMALL_PERCENTAGE = 10;

    /** Within so many standard errors is the true number in 19 of 20 cases. */
    private static final int STANDARD_ERRORS = 2;

    private Counted() {}

    /** Such as {@code 12,345}. */
    static String number(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** Such as {@code 1 host} and {@code 2,000 hosts}. */
    static String of(long count, String one) {
        return number(count) + " " + one + (count == 1 ? "" : "s");
    }

    /** Such as {@code +290}, {@code −12} and {@code 0}. */
    static String difference(long count) {
        return (count > 0 ? "+" : count < 0 ? "−" : "") + number(Math.abs(count));
    }

    /** Such as {@code 2.5 %}; 0 where there is no whole. */
    static String percent(long part, long whole) {
        double percent = whole == 0 ? 0 : 100.0 * part / whole;
        String format = percent > 0 && percent < SMALL_PERCENTAGE ? "%.1f %%" : "%.0f %%";
        return String.format(Locale.ROOT, format, percent);
    }

    /** Such as {@code 310}, and {@code 310 ± 48} where not all clients were seen. */
    static String estimate(Estimate estimate) {
        long error = Math.round(estimate.count() * estimate.relativeError() * STANDARD_ERRORS);
        return number(estimate.count()) + (error == 0 ? "" : " ± " + number(error));
    }
}
