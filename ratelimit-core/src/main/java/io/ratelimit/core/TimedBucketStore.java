package io.ratelimit.core;

import io.ratelimit.RateLimitListener;
import io.ratelimit.TimeSource;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.MessageBroadcaster;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Tells how long a store takes for each charge. Thread-safe. */
final class TimedBucketStore implements BucketStore {

    private final BucketStore store;
    private final RateLimitListener listener;
    private final TimeSource timeSource;

    TimedBucketStore(BucketStore store, RateLimitListener listener, TimeSource timeSource) {
        this.store = store;
        this.listener = listener;
        this.timeSource = timeSource;
    }

    @Override
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        long begun = timeSource.nanoTime();
        return store.spend(charges, timeout)
                .whenComplete((spent, failure) -> listener.onStoreTime(Math.max(0, timeSource.nanoTime() - begun)));
    }

    @Override
    public CompletionStage<Void> refund(Receipt receipt, long tokens) {
        return store.refund(receipt, tokens);
    }

    @Override
    public CompletionStage<Void> release(Receipt receipt) {
        return store.release(receipt);
    }

    @Override
    public CompletionStage<Void> undo(Receipt receipt, long tokens) {
        return store.undo(receipt, tokens);
    }

    @Override
    public int hosts() {
        return store.hosts();
    }

    @Override
    public @Nullable MessageBroadcaster broadcaster() {
        return store.broadcaster();
    }

    @Override
    public void warmUp() throws InterruptedException {
        store.warmUp();
    }

    @Override
    public void close() {
        store.close();
    }
}
