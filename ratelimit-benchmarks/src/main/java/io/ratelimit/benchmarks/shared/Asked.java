package io.ratelimit.benchmarks.shared;

/** What is asked for one decision. */
enum Asked {
    /** An entry processor that counts a long up: the least that a shared decision can do. */
    BARE("bare EntryProcessor"),
    /** One rule of ours, exact. */
    OURS("ours, one rule"),
    /** Bucket4j, one bucket. */
    BUCKET4J("Bucket4j, one bucket"),
    /** Three rules of ours with the same key, in one decision. */
    OURS_THREE_RULES("ours, three rules of one request"),
    /** Bucket4j asked for three buckets, one after the other. */
    BUCKET4J_THREE_TIMES("Bucket4j, three buckets"),
    /** One rule of ours, leased. */
    OURS_LEASED("ours, leased, hot key"),
    /** One rule of ours, eventual. */
    OURS_EVENTUAL("ours, eventual"),
    /** One rule of ours that is not shared, asked for by the same way. */
    OURS_HOST("ours, host");

    private final String title;

    Asked(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }
}
