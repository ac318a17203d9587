package io.ratelimit.server.envoy;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.SocketAddress;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The connections that are open, of those that may be. Where all places are taken, one that has never asked for a
 * decision makes room for a newcomer, the oldest first: who opens connections and leaves it at that keeps nobody away.
 * Thread-safe.
 */
final class OpenConnections {

    private final AtomicInteger open = new AtomicInteger();
    private final int most;

    /** Those that have not asked yet, by where they come from, the oldest first. */
    private final Map<SocketAddress, Channel> silent = new LinkedHashMap<>();

    OpenConnections(int most, MeterRegistry meters) {
        this.most = most;
        Gauge.builder("ratelimit.envoy.connections", open, AtomicInteger::get)
                .description("Connections of Envoys that are open")
                .register(meters);
    }

    /** Takes a place until the connection is closed; false where there is none. Called by one thread alone. */
    boolean enter(Channel connection) {
        if (open.get() >= most && !makeRoom()) {
            return false;
        }
        open.incrementAndGet();
        SocketAddress from = connection.remoteAddress();
        synchronized (silent) {
            silent.put(from, connection);
        }
        connection.closeFuture().addListener(closed -> leave(from, connection));
        return true;
    }

    /** The one that leaves is counted until its thread has closed it, a moment later. */
    private boolean makeRoom() {
        Channel oldest = takeOldest();
        if (oldest != null) {
            // The usual way takes leave first, for ten seconds, in which any number of others could come.
            oldest.eventLoop().execute(() -> oldest.unsafe().close(oldest.voidPromise()));
        }
        return oldest != null;
    }

    private @Nullable Channel takeOldest() {
        synchronized (silent) {
            Iterator<Channel> oldest = silent.values().iterator();
            if (!oldest.hasNext()) {
                return null;
            }
            Channel taken = oldest.next();
            if (!taken.isRegistered()) {
                // It came with the newcomer, and to close it before a thread has it fails, which would close the port.
                return null;
            }
            oldest.remove();
            return taken;
        }
    }

    /** Whoever has asked keeps the place. */
    void asked(@Nullable SocketAddress from) {
        synchronized (silent) {
            silent.remove(from);
        }
    }

    private void leave(SocketAddress from, Channel connection) {
        open.decrementAndGet();
        synchronized (silent) {
            silent.remove(from, connection);
        }
    }
}
