package io.ratelimit.server.traffic.replay;

/** How much of what fills a rule's buckets was recorded. */
public enum Basis {
    /** All requests that share a bucket, if any of them: those of one client, or all clients were recorded. */
    WHOLE,
    /**
     * The share of the clients whose requests were recorded, of all that share one bucket ({@code key: service}): each
     * request is charged 1/share times its cost, as one of so many.
     */
    WEIGHTED,
    /**
     * The recorded share of clients that share a bucket, nobody knows how many: more requests would have been refused than
     * are told.
     */
    PARTIAL,
    /** Too little to judge the rule, which is left out. */
    NONE
}
