package io.ratelimit.core;

import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.MessageBroadcaster;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Hosts of a test that have no buckets in common, but hear one another at once. */
final class HearingStore implements BucketStore {

    private final List<Consumer<byte[]>> listeners;
    private boolean closed;

    HearingStore() {
        this(new CopyOnWriteArrayList<>());
    }

    private HearingStore(List<Consumer<byte[]>> listeners) {
        this.listeners = listeners;
    }

    /** Another host's. */
    HearingStore another() {
        return new HearingStore(listeners);
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public boolean onlyBroadcasts() {
        return true;
    }

    @Override
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        throw new UnsupportedOperationException("there are no buckets here");
    }

    @Override
    public CompletionStage<Void> refund(Receipt receipt, long tokens) {
        throw new UnsupportedOperationException("there are no buckets here");
    }

    @Override
    public int hosts() {
        return 2;
    }

    @Override
    public MessageBroadcaster broadcaster() {
        return new MessageBroadcaster() {

            @Override
            public void broadcast(byte[] message) {
                if (!closed) {
                    listeners.forEach(listener -> listener.accept(message));
                }
            }

            @Override
            public void listen(Consumer<byte[]> listener) {
                listeners.add(listener);
            }

            @Override
            public byte[] secret() {
                return new byte[32];
            }

            @Override
            public int hosts() {
                return 2;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void close() {
        closed = true;
    }
}
