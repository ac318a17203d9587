package io.ratelimit.core;

import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.MessageBroadcaster;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import io.ratelimit.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands for a shared store that could not be started: fails each charge, so that the rules' {@code onFailure} answers,
 * until a later start succeeds. Thread-safe.
 */
final class RestartedStore implements BucketStore {

    private static final Logger LOG = LoggerFactory.getLogger(RestartedStore.class);

    private final Supplier<BucketStore> starter;
    private final @Nullable LateBroadcaster broadcaster;
    private final boolean onlyBroadcasts;
    private volatile StoreException failure;
    private volatile @Nullable BucketStore started;
    private boolean closed;

    /**
     * Waits for its first {@link #restart}.
     *
     * @param starter starts the store; throws a {@link StoreException} where that fails
     * @param broadcasts whether the store has a broadcaster once it is there
     * @param onlyBroadcasts whether it has no buckets
     * @param failure why the store did not start the first time
     */
    RestartedStore(Supplier<BucketStore> starter, boolean broadcasts, boolean onlyBroadcasts, StoreException failure) {
        this.starter = starter;
        this.broadcaster = broadcasts ? new LateBroadcaster() : null;
        this.onlyBroadcasts = onlyBroadcasts;
        this.failure = failure;
    }

    /** Tries once more, if the store is not there yet. Takes as long as a start; for one thread at a time. */
    void restart() {
        if (started != null || isClosed()) {
            return;
        }
        BucketStore store;
        try {
            store = starter.get();
        } catch (StoreException e) {
            failure = e;
            LOG.debug("The shared store could still not be started: {}", e.getMessage());
            return;
        }
        boolean warm = false;
        try {
            store.warmUp();
            warm = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (!warm) {
                store.close();
            }
        }
        if (warm) {
            take(store);
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized void take(BucketStore store) {
        if (closed) {
            store.close();
            return;
        }
        started = store;
        if (broadcaster != null) {
            broadcaster.begin(store.broadcaster());
        }
        LOG.info("The shared store has been started: this host shares budgets from now on");
    }

    /** The store, once it has been started. */
    @Nullable
    BucketStore started() {
        return started;
    }

    @Override
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        return ask(store -> store.spend(charges, timeout));
    }

    @Override
    public CompletionStage<Void> refund(Receipt receipt, long tokens) {
        return ask(store -> store.refund(receipt, tokens));
    }

    @Override
    public CompletionStage<Void> release(Receipt receipt) {
        return ask(store -> store.release(receipt));
    }

    @Override
    public CompletionStage<Void> undo(Receipt receipt, long tokens) {
        return ask(store -> store.undo(receipt, tokens));
    }

    private <T> CompletionStage<T> ask(Function<BucketStore, CompletionStage<T>> call) {
        BucketStore store = started;
        return store == null ? CompletableFuture.failedFuture(failure) : call.apply(store);
    }

    @Override
    public int hosts() {
        BucketStore store = started;
        return store == null ? 0 : store.hosts();
    }

    @Override
    public boolean onlyBroadcasts() {
        return onlyBroadcasts;
    }

    @Override
    public @Nullable MessageBroadcaster broadcaster() {
        return broadcaster;
    }

    @Override
    public void warmUp() throws InterruptedException {
        BucketStore store = started;
        if (store != null) {
            store.warmUp();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (started != null) {
            started.close();
        }
    }
}
