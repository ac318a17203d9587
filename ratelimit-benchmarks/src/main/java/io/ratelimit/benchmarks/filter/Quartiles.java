package io.ratelimit.benchmarks.filter;

import java.util.stream.DoubleStream;

/**
 * The middle of some figures, and how far they spread: half of them lie between the first and the third quartile.
 *
 * @param first a quarter of the figures is not above it
 * @param median half of them
 * @param third three quarters
 */
public record Quartiles(double first, double median, double third) {

    /**
     * Finds them.
     *
     * @throws IllegalArgumentException if there are no figures
     */
    static Quartiles of(DoubleStream figures) {
        double[] sorted = figures.sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("there are no figures");
        }
        return new Quartiles(at(sorted, 0.25), at(sorted, 0.5), at(sorted, 0.75));
    }

    /** Between two figures, in proportion. */
    private static double at(double[] sorted, double share) {
        double place = share * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}
