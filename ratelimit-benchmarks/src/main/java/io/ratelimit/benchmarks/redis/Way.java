package io.ratelimit.benchmarks.redis;

/** What is asked for one decision. */
enum Way {
    /** The least that a call can do. */
    PING("PING"),
    /** A script with the arithmetic of one limit and nothing else. */
    BARE("bare EVALSHA"),
    /** One rule of ours. */
    OURS("ours, one rule"),
    /** Bucket4j, one bucket. */
    BUCKET4J("Bucket4j, one bucket"),
    /** Three rules of ours with the same key, in one decision. */
    OURS_THREE_RULES("ours, three rules of one request"),
    /** Bucket4j asked for three buckets, one after the other. */
    BUCKET4J_THREE_TIMES("Bucket4j, three buckets"),
    /** One rule of ours that lets nothing pass. */
    OURS_REFUSED("ours, one rule, refused"),
    /** One rule of ours that only hosts can count. */
    OURS_WINDOW("ours, a sliding window"),
    /** One rule of ours, leased. */
    OURS_LEASED("ours, leased, hot key");

    private final String title;

    Way(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }
}
