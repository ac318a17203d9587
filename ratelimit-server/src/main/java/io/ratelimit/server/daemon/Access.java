package io.ratelimit.server.daemon;

/** Who may ask. */
enum Access {
    /** Whoever reaches the port. */
    ANYBODY,
    /** Services that ask for decisions, and operators. */
    CALLER,
    /** Operators: what they ask shows users, addresses and hosts. */
    OPERATOR
}
