package io.ratelimit.rules;

/** How a token bucket refills. */
public enum Refill {
    /** Evenly: a part of a period brings that part of the tokens. */
    GREEDY,
    /** All tokens of a period at its end, none before. */
    INTERVAL
}
