package io.ratelimit.store;

import io.ratelimit.ClientIdentifier;

/**
 * Tokens to be taken from each of a client's buckets under one rule.
 *
 * @param client whose buckets
 * @param bucket which buckets
 * @param cost tokens, at least 0; 0 only looks
 */
public record Charge(ClientIdentifier client, BucketSpec bucket, long cost) {

    /**
     * Checks the cost.
     *
     * @throws IllegalArgumentException if the cost is negative
     */
    public Charge {
        if (cost < 0) {
            throw new IllegalArgumentException("a charge is 0 or more tokens, not " + cost);
        }
    }
}
