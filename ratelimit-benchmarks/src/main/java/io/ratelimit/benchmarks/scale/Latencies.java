package io.ratelimit.benchmarks.scale;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** How long calls took, of one thread. */
final class Latencies {

    private static final long LONGEST = TimeUnit.HOURS.toNanos(1);
    private static final int DIGITS = 3;
    private static final double NANOS_PER_MICRO = 1_000;

    private final Histogram nanos = new Histogram(LONGEST, DIGITS);

    void add(long took) {
        nanos.recordValue(Math.max(0, took));
    }

    void clear() {
        nanos.reset();
    }

    /**
     * The row of these calls.
     *
     * @param name what was called
     * @param tookNanos how long all of it took
     */
    Row row(String name, long tookNanos) {
        return Row.of(Section.CALLS, name)
                .with(Figure.CALLS, nanos.getTotalCount())
                .with(Figure.CALLS_PER_SECOND, nanos.getTotalCount() * 1e9 / tookNanos)
                .with(Figure.MEDIAN, micros(50))
                .with(Figure.P99, micros(99))
                .with(Figure.P999, micros(99.9))
                .with(Figure.P9999, micros(99.99))
                .with(Figure.MAX, nanos.getMaxValue() / NANOS_PER_MICRO);
    }

    private double micros(double percentile) {
        return nanos.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
    }
}
