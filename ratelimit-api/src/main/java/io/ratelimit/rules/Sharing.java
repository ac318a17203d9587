package io.ratelimit.rules;

/** How the hosts of a service share the buckets of a rule. */
public enum Sharing {
    /** Every decision is made where the bucket lives; the limit holds for all hosts together. */
    EXACT,
    /** Hosts take tokens ahead of time and spend them alone; the limit holds for all hosts together. */
    LEASED,
    /**
     * Each host decides by buckets of its own and tells the others what was spent; until all know, each may let a burst
     * pass, and an excess is paid back by waiting.
     */
    EVENTUAL,
    /** Each host has buckets of its own; the limit holds for each host. */
    HOST
}
