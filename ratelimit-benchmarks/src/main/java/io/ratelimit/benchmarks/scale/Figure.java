package io.ratelimit.benchmarks.scale;

/** What a row of the report may say; bytes are counted in 10^6. */
enum Figure {
    CLIENTS("clients", 0),
    HEAP("heap MB", 1),
    BYTES("bytes for a client", 1),
    FULL_COLLECTION("full collection ms", 0),
    SHORTEST_COLLECTION("shortest", 0),
    LONGEST_COLLECTION("longest", 0),
    COLLECTOR_TIME("by the collector ms", 0),

    CALLS("calls", 0),
    CALLS_PER_SECOND("calls/s", 0),
    MEDIAN("p50 µs", 2),
    P99("p99 µs", 2),
    P999("p99.9 µs", 1),
    P9999("p99.99 µs", 1),
    MAX("max µs", 0),

    KEPT("kept at the end", 0),
    MOST_KEPT("most kept", 0),
    SWEEPS("sweeps", 0),
    LONGEST_SWEEP("longest sweep ms", 0),
    PAUSES("collections", 0),
    LONGEST_PAUSE("longest ms", 0),
    PAUSED("all of them ms", 0),

    MILLION_CLIENTS("MB for 1,000,000", 1),
    TEXTBOOK("textbook MB", 0),

    THREADS("threads", 0),
    PER_SECOND("decisions/s", 0),
    LEAST_PER_SECOND("least", 0),
    MOST_PER_SECOND("most", 0),
    PER_CORE("per core and second", 0),
    CORES("cores for 15,000,000/s", 1),
    HOSTS_OF_8("hosts of 8 cores", 0),
    HOSTS_OF_32("hosts of 32 cores", 0),
    FAIRNESS("slowest ÷ fastest thread", 2);

    private final String title;
    private final int decimals;

    Figure(String title, int decimals) {
        this.title = title;
        this.decimals = decimals;
    }

    /** The head of its column. */
    String title() {
        return title;
    }

    /** How many decimals say something. */
    int decimals() {
        return decimals;
    }
}
