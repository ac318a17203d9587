package io.ratelimit.core;

import io.ratelimit.store.HostGroup;
import io.ratelimit.store.MessageBroadcaster;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Stands for the broadcaster of a store that has not been started yet: nobody hears and nobody tells. Thread-safe. */
final class LateBroadcaster implements MessageBroadcaster {

    private static final int SECRET_BYTES = 32;

    private final byte[] secret = new byte[SECRET_BYTES];
    private final List<Consumer<byte[]>> listeners = new CopyOnWriteArrayList<>();
    private volatile @Nullable MessageBroadcaster begun;

    LateBroadcaster() {
        new SecureRandom().nextBytes(secret);
    }

    /** The store has been started; it may have no broadcaster either. */
    synchronized void begin(@Nullable MessageBroadcaster broadcaster) {
        begun = broadcaster;
        if (broadcaster != null) {
            listeners.forEach(broadcaster::listen);
        }
    }

    @Override
    public void broadcast(byte[] message) {
        MessageBroadcaster broadcaster = begun;
        if (broadcaster != null) {
            broadcaster.broadcast(message);
        }
    }

    @Override
    public synchronized void listen(Consumer<byte[]> listener) {
        listeners.add(listener);
        MessageBroadcaster broadcaster = begun;
        if (broadcaster != null) {
            broadcaster.listen(listener);
        }
    }

    @Override
    public byte[] secret() {
        MessageBroadcaster broadcaster = begun;
        return broadcaster == null ? secret : broadcaster.secret();
    }

    @Override
    public int hosts() {
        MessageBroadcaster broadcaster = begun;
        return broadcaster == null ? 1 : broadcaster.hosts();
    }

    @Override
    public @Nullable HostGroup group() {
        MessageBroadcaster broadcaster = begun;
        return broadcaster == null ? null : broadcaster.group();
    }

    @Override
    public int mostBroadcastBytes() {
        MessageBroadcaster broadcaster = begun;
        return broadcaster == null ? MessageBroadcaster.super.mostBroadcastBytes() : broadcaster.mostBroadcastBytes();
    }

    /** Its store closes it. */
    @Override
    public void close() {}
}
