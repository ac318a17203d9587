package io.ratelimit.core.bucket;

import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A store as a decorator asks it: one that throws instead of failing its stage is no better than one that fails. Immutable.
 *
 * @param store the store
 */
public record AskedStore(BucketStore store) {

    /**
     * Spends as {@link BucketStore#spend} does, and never throws.
     *
     * @param charges the charges
     * @param timeout how long the answer is of use
     * @return the store's answer, or its failure
     */
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        try {
            return store.spend(charges, timeout);
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
