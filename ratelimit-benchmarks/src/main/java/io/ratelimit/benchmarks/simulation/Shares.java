package io.ratelimit.benchmarks.simulation;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Parts of a load, for each of some hosts or buckets. Immutable. */
final class Shares {

    private final double[] sums;

    /**
     * Spreads load.
     *
     * @param skew how
     * @param count over how many, at least 1
     */
    Shares(Skew skew, int count) {
        sums = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += skew.weight(i, count);
            sums[i] = sum;
        }
        for (int i = 0; i < count; i++) {
            sums[i] /= sum;
        }
    }

    /** The part of one. */
    double of(int place) {
        return place == 0 ? sums[0] : sums[place] - sums[place - 1];
    }

    /** One by chance. */
    int next(RandomGenerator random) {
        int found = Arrays.binarySearch(sums, random.nextDouble());
        return Math.min(found < 0 ? -found - 1 : found + 1, sums.length - 1);
    }
}
