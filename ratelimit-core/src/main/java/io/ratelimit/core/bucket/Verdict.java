package io.ratelimit.core.bucket;

/** What buckets that are asked directly say of a request. */
public enum Verdict {
    /** All limits admitted the cost, and it was spent. */
    ALLOWED,
    /** A limit refused the cost; nothing was spent. */
    REFUSED,
    /** The buckets cannot answer directly, and nothing was spent: the store must be asked. */
    UNDECIDED
}
