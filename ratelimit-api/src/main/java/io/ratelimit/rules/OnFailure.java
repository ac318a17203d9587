package io.ratelimit.rules;

/** What answers for a rule whose shared buckets cannot be asked in time. */
public enum OnFailure {
    /** This host goes on alone, with the full limit. */
    LOCAL,
    /** The request passes. */
    OPEN,
    /** The request is refused. */
    CLOSED
}
