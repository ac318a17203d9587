package io.ratelimit.rules;

/** How the hosts of a service share the buckets of a rule. */
public enum Sharing {
    /** Every decision is made where the bucket lives; the limit holds for all hosts together. */
    EXACT,
    /** Each host has buckets of its own; the limit holds for each host. */
    HOST
}
