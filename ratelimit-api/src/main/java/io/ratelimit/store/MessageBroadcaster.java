package io.ratelimit.store;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells the other hosts of a service what happens on this one. Messages may be lost, come twice or in another order, and
 * whoever sends them must not mind. Thread-safe.
 */
public interface MessageBroadcaster extends AutoCloseable {

    /**
     * Sends a message to all other hosts. Returns at once, and does not fail where a host cannot be reached.
     *
     * @param message not to be written to any more
     */
    void broadcast(byte[] message);

    /**
     * Begins to hear messages of other hosts; those of this host may come too.
     *
     * @param listener hears each message; must not take long, and what it throws is lost
     */
    void listen(Consumer<byte[]> listener);

    /**
     * A secret that all hosts know and nobody else, by which names of clients are hashed in messages. It may change while
     * hosts find one another.
     *
     * @return the secret, not to be written to
     */
    byte[] secret();

    /**
     * How many hosts there are, this one included.
     *
     * @return at least 1
     */
    int hosts();

    /**
     * The hosts, where they can be told one by one.
     *
     * @return always the same, or null (the default) where each message goes to all, or for as long as it is not known
     */
    default @Nullable HostGroup group() {
        return null;
    }

    /**
     * How long a message to all hosts should be at most. Only one with a single sum may be longer.
     *
     * @return bytes, at least 500; 30,000 by default
     */
    default int mostBroadcastBytes() {
        return 30_000;
    }

    /** Stops sending and hearing. */
    @Override
    void close();
}
