package io.ratelimit.core.bucket;

import org.jspecify.annotations.Nullable;

/**
 * The buckets of all clients of one rule, for whoever can ask them without a charge being made for a store. Thread-safe.
 */
public interface DirectBuckets {

    /**
     * How these buckets tell clients apart.
     *
     * @return the kinds to ask by; those of other buckets mean other clients here
     */
    ClientKinds kinds();

    /**
     * Spends tokens of a client.
     *
     * @param kind what tells the client apart
     * @param value the client's value, not empty
     * @param cost tokens, at least 0; 0 only looks
     * @return the verdict; undecided where the store must be asked
     * @throws IllegalArgumentException if the cost is negative
     */
    Verdict spend(ClientKind kind, String value, long cost);

    /**
     * Spends tokens of a client, and tells more than the verdict.
     *
     * @param kind what tells the client apart
     * @param value the client's value, not empty
     * @param cost tokens, at least 0; 0 only looks
     * @return what became of it, or null where the verdict is undecided
     * @throws IllegalArgumentException if the cost is negative
     */
    @Nullable
    DirectSpending spendInDetail(ClientKind kind, String value, long cost);
}
