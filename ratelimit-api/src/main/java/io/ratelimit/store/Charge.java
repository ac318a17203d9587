package io.ratelimit.store;

import io.ratelimit.ClientIdentifier;

/**
 * Tokens to be taken from each of a client's buckets under one rule.
 *
 * @param client whose buckets
 * @param bucket which buckets
 * @param cost tokens, at least 0; 0 only looks
 * @param kind what the charge has to say about the request
 * @param maxWaitNanos how long the request would wait for tokens to come, in nanoseconds, at least 0: a limit that can
 *     {@code queue} admits the charge ahead of time if they come by then, and its {@link io.ratelimit.LimitState} says
 *     when the request's turn is. Of a {@link Kind#LATE} charge, whose request waits for nothing: how long it may take
 *     until what it owes has come
 */
public record Charge(ClientIdentifier client, BucketSpec bucket, long cost, Kind kind, long maxWaitNanos) {

    /** What a charge has to say about its request. */
    public enum Kind {
        /** The request passes only if the charge is admitted. */
        BINDING,
        /**
         * As {@link #BINDING}, for what a request costs beyond what it was admitted with under the same limits: nothing
         * that concerns requests as such, like the least time between two of them, counts against it.
         */
        MORE,
        /** Spent if the request passes and the charge is admitted, and otherwise without effect. */
        SHADOW,
        /** Never spent, and without a say: tells what would become of a binding charge. */
        LOOK,
        /**
         * Of a request that has passed already: always admitted. What the limits do not hold is owed where they can
         * owe it, up to what refills in the time that fills the bucket or in {@link Charge#maxWaitNanos}, whichever is
         * longer, and is forgiven beyond.
         */
        LATE;

        /**
         * Whether the charge may refuse its request.
         *
         * @return true if the request passes only with it
         */
        public boolean decides() {
            return this == BINDING || this == MORE;
        }
    }

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if the cost or the wait is negative
     */
    public Charge {
        if (cost < 0) {
            throw new IllegalArgumentException("a charge is 0 or more tokens, not " + cost);
        }
        if (maxWaitNanos < 0) {
            throw new IllegalArgumentException("a request waits 0 or more nanoseconds, not " + maxWaitNanos);
        }
    }

    /**
     * A binding charge of a request that does not wait.
     *
     * @param client whose buckets
     * @param bucket which buckets
     * @param cost tokens, at least 0; 0 only looks
     * @throws IllegalArgumentException if the cost is negative
     */
    public Charge(ClientIdentifier client, BucketSpec bucket, long cost) {
        this(client, bucket, cost, Kind.BINDING, 0);
    }

    /**
     * The same charge of another kind.
     *
     * @param value what the charge has to say about the request
     * @return the charge
     */
    public Charge as(Kind value) {
        return new Charge(client, bucket, cost, value, maxWaitNanos);
    }

    /**
     * The same charge of a request that waits.
     *
     * @param nanos how long it would wait for tokens to come, in nanoseconds, at least 0
     * @return the charge
     * @throws IllegalArgumentException if the wait is negative
     */
    public Charge waiting(long nanos) {
        return new Charge(client, bucket, cost, kind, nanos);
    }
}
