package io.ratelimit.benchmarks.scale;

import java.util.Collections;
import java.util.List;

/**
 * What threads did in one round. Immutable.
 *
 * @param calls how many calls each thread made
 * @param nanos how long the round took
 */
record Tally(List<Long> calls, long nanos) {

    Tally {
        calls = List.copyOf(calls);
    }

    double perSecond() {
        return calls.stream().mapToLong(Long::longValue).sum() * 1e9 / nanos;
    }

    /** The share of the slowest thread beside that of the fastest: 1 where all got on alike. */
    double fairness() {
        return (double) Collections.min(calls) / Collections.max(calls);
    }

    /** The row with what rounds came to. */
    static Row addTo(Row row, List<Tally> rounds) {
        double[] sorted = rounds.stream().mapToDouble(Tally::perSecond).sorted().toArray();
        return row.with(Figure.THREADS, rounds.get(0).calls().size())
                .with(Figure.PER_SECOND, sorted[sorted.length / 2])
                .with(Figure.LEAST_PER_SECOND, sorted[0])
                .with(Figure.MOST_PER_SECOND, sorted[sorted.length - 1])
                .with(
                        Figure.FAIRNESS,
                        rounds.stream().mapToDouble(Tally::fairness).average().orElse(Double.NaN));
    }
}
