package io.ratelimit.store;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Where the states of buckets live. Thread-safe.
 */
public interface BucketStore extends AutoCloseable {

    /**
     * Spends all charges, or none if one of the binding ones is not admitted (see {@link Charge.Kind} for the others).
     *
     * @param charges at least one charge, no two of the same client and bucket name
     * @param timeout how long the answer is of use, positive; a store may give up then, and need not
     * @return a stage with what became of the charges; it fails with a {@link StoreException} or another exception
     *     where the store cannot answer, and then the charges may have been spent or not
     */
    CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout);

    /**
     * Gives tokens of a charge back, at most what its receipt still holds: tokens that have refilled since are not
     * given a second time, so that a bucket never holds more than without the charge. A receipt may be refunded in parts soon after one
     * another; what refills between two parts may then count twice.
     *
     * @param receipt the charge's receipt, from this store
     * @param tokens how many tokens, at least 0; all refunds of a receipt together at most the charge's cost
     * @return a stage that completes when the tokens are back, and fails where the store cannot tell
     */
    CompletionStage<Void> refund(Receipt receipt, long tokens);

    /**
     * Ends the request of a charge: limits that count requests under way stop counting it. Refunds leave these alone,
     * so that a request that gets its tokens back is still one that is under way.
     *
     * @param receipt the charge's receipt, from this store; released at most once
     * @return a stage that completes when the request is no longer counted, and fails where the store cannot tell
     */
    default CompletionStage<Void> release(Receipt receipt) {
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Takes a charge back as if it had never been made: refunds and releases it. A store that counts limits with a least
     * time between two requests forgets this request there too, which this default cannot.
     *
     * @param receipt the charge's receipt, from this store
     * @param tokens the charge's cost, without what was refunded before
     * @return a stage that completes when both are done, and fails where the store cannot tell
     */
    default CompletionStage<Void> undo(Receipt receipt, long tokens) {
        return refund(receipt, tokens).thenCompose(refunded -> release(receipt));
    }

    /**
     * How many hosts share the buckets, this one included. Asked for each charge that could be leased, so that it must be
     * known without a hop; after a change, all hosts are to know of it within a second. Where tokens are leased, a bucket is
     * kept for two to three seconds after it is full, so that leases are over when it is forgotten.
     *
     * @return at least 1, or 0 where it is not known; nothing is leased then
     */
    default int hosts() {
        return 0;
    }

    /**
     * Whether there are no buckets in this store, but only a {@linkplain #broadcaster() broadcaster}: all rules that are
     * shared at all are shared by telling one another what was spent.
     *
     * @return always the same; false by default. Where true, no charge comes here
     */
    default boolean onlyBroadcasts() {
        return false;
    }

    /**
     * A way to tell the other hosts that share the buckets something, for rules whose hosts decide by themselves.
     *
     * @return the broadcaster, always the same; closed with the store. Null where there is none
     */
    default @Nullable MessageBroadcaster broadcaster() {
        return null;
    }

    /**
     * Does what is slow only once, such as connecting and loading classes, so that the first real request is as quick
     * as those after it. Called before a host says that it is ready; may take seconds.
     *
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    default void warmUp() throws InterruptedException {}

    /** Releases threads and connections. Calls under way may fail. */
    @Override
    void close();
}
