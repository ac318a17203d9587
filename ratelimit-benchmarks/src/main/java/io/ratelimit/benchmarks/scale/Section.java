package io.ratelimit.benchmarks.scale;

import com.google.common.collect.ImmutableList;

/** The tables of the report. */
enum Section {
    HEAP(
            "Heap, and a full collection",
            Figure.CLIENTS,
            Figure.HEAP,
            Figure.BYTES,
            Figure.FULL_COLLECTION,
            Figure.SHORTEST_COLLECTION,
            Figure.LONGEST_COLLECTION,
            Figure.COLLECTOR_TIME),
    CALLS(
            "One call, while clients come and go",
            Figure.CALLS,
            Figure.CALLS_PER_SECOND,
            Figure.MEDIAN,
            Figure.P99,
            Figure.P999,
            Figure.P9999,
            Figure.MAX),
    BESIDE_CALLS(
            "What went on beside the calls",
            Figure.KEPT,
            Figure.MOST_KEPT,
            Figure.SWEEPS,
            Figure.LONGEST_SWEEP,
            Figure.PAUSES,
            Figure.LONGEST_PAUSE,
            Figure.PAUSED),
    LIMITS("Memory by limit", Figure.CLIENTS, Figure.BYTES, Figure.MILLION_CLIENTS, Figure.TEXTBOOK),
    DECISIONS(
            "Whole decisions, among ten rules",
            Figure.THREADS,
            Figure.PER_SECOND,
            Figure.LEAST_PER_SECOND,
            Figure.MOST_PER_SECOND,
            Figure.PER_CORE,
            Figure.CORES,
            Figure.HOSTS_OF_8,
            Figure.HOSTS_OF_32),
    HOT_KEY(
            "One hot key, with more threads than processors too",
            Figure.THREADS,
            Figure.PER_SECOND,
            Figure.LEAST_PER_SECOND,
            Figure.MOST_PER_SECOND,
            Figure.FAIRNESS);

    private final String title;
    private final ImmutableList<Figure> columns;

    Section(String title, Figure... columns) {
        this.title = title;
        this.columns = ImmutableList.copyOf(columns);
    }

    String title() {
        return title;
    }

    ImmutableList<Figure> columns() {
        return columns;
    }
}
