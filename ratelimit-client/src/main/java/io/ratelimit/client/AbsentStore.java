package io.ratelimit.client;

import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import io.ratelimit.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The buckets that only daemons have. Always fails, at once. */
final class AbsentStore implements BucketStore {

    /** Made once: a stack trace for each request would cost more than its decision. */
    private final StoreException absence = new StoreException("store-error", "no daemon decides");

    @Override
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        return CompletableFuture.failedFuture(absence);
    }

    @Override
    public CompletionStage<Void> refund(Receipt receipt, long tokens) {
        return CompletableFuture.failedFuture(absence);
    }

    @Override
    public void close() {}
}
