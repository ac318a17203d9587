package io.ratelimit.core.bucket;

import io.ratelimit.ClientIdentifier;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of all clients of one rule, for whoever can ask them without a charge being made for a store. Thread-safe.
 */
public interface DirectBuckets {

    /**
     * The clients whose identifiers are of one kind.
     *
     * @param kind the {@linkplain ClientIdentifier#kind() kind}
     * @return these clients, for these buckets
     */
    ClientKind clientsOf(String kind);

    /**
     * One client alone.
     *
     * @param client the client
     * @return the client, for these buckets, whatever the value is that is given later
     */
    ClientKind only(ClientIdentifier client);

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
