package io.ratelimit.core.bucket;

import io.ratelimit.store.BucketStore;
import io.ratelimit.store.MessageBroadcaster;
import io.ratelimit.store.Receipt;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Stands before a store that answers all that a decorator does not answer itself. Thread-safe as far as the store is, which is
 * closed with it.
 */
public abstract class ForwardingBucketStore implements BucketStore {

    private final BucketStore store;

    /**
     * Stands before a store.
     *
     * @param store asked for all else; closed with this one
     */
    protected ForwardingBucketStore(BucketStore store) {
        this.store = store;
    }

    /**
     * The store that is asked.
     *
     * @return the store
     */
    protected final BucketStore store() {
        return store;
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
    public boolean onlyBroadcasts() {
        return store.onlyBroadcasts();
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
