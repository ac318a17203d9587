package io.ratelimit.benchmarks.simulation;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * One axis of a chart. Immutable.
 *
 * @param title what it shows
 * @param least where it begins
 * @param most where it ends
 * @param isLogarithmic whether equal distances are equal ratios
 * @param ticks values that are written beside it
 */
record Axis(String title, double least, double most, boolean isLogarithmic, List<Double> ticks) {

    private static final double MARGIN = 1.6;
    private static final int LARGEST_EXPONENT = 12;
    private static final double FEW_POWERS = 1_000;

    Axis {
        ticks = List.copyOf(ticks);
    }

    /** An axis with room for values, which are above 0, and a tick at each power of ten; between few of them at 2 and 5. */
    static Axis logarithmic(String title, double smallest, double largest) {
        double least = smallest / MARGIN;
        double most = largest * MARGIN;
        List<Integer> factors = most / least < FEW_POWERS ? List.of(1, 2, 5) : List.of(1);
        List<Double> ticks = Stream.iterate(-LARGEST_EXPONENT, exponent -> exponent + 1)
                .limit(2 * LARGEST_EXPONENT + 1)
                .flatMap(exponent -> factors.stream().map(factor -> factor * Math.pow(10, exponent)))
                .filter(tick -> tick >= least && tick <= most)
                .toList();
        return new Axis(title, least, most, true, ticks);
    }

    /** An axis with a tick at each step. */
    static Axis linear(String title, double least, double most, double step) {
        List<Double> ticks = Stream.iterate(
                        Math.ceil(least / step), number -> number * step <= most + step / 100, n -> n + 1)
                .map(number -> number * step)
                .toList();
        return new Axis(title, least, most, false, ticks);
    }

    /** Where a value is: 0 at the beginning, 1 at the end. */
    double part(double value) {
        return isLogarithmic ? Math.log(value / least) / Math.log(most / least) : (value - least) / (most - least);
    }

    /** Whether a value can be shown. */
    boolean has(double value) {
        return value >= least && value <= most;
    }

    /** A value as it is written. */
    static String written(double value) {
        if (value >= 1) {
            String text = String.format(Locale.ROOT, "%,.2f", value);
            return text.replaceAll("\\.?0+$", "");
        }
        return String.format(Locale.ROOT, "%.3f", value).replaceAll("\\.?0+$", "");
    }
}
