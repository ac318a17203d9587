package io.ratelimit.core;

import io.ratelimit.RateLimitListener;
import io.ratelimit.TimeSource;
import io.ratelimit.core.bucket.ForwardingBucketStore;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Tells how long a store takes for each charge. Thread-safe. */
final class TimedBucketStore extends ForwardingBucketStore {

    private final RateLimitListener listener;
    private final TimeSource timeSource;

    TimedBucketStore(BucketStore store, RateLimitListener listener, TimeSource timeSource) {
        super(store);
        this.listener = listener;
        this.timeSource = timeSource;
    }

    @Override
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        long begun = timeSource.nanoTime();
        return store().spend(charges, timeout)
                .whenComplete((spent, failure) -> listener.onStoreTime(Math.max(0, timeSource.nanoTime() - begun)));
    }
}
