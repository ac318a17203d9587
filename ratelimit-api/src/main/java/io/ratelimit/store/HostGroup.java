package io.ratelimit.store;

import java.util.List;
import java.util.UUID;

/**
 * Hosts that can be told something one by one, so that not everyone has to tell everyone. Messages may be lost, come
 * twice or in another order. Thread-safe.
 */
public interface HostGroup {

    /** How hosts of a group tell one another what was spent. */
    enum Topology {

        /** Each tells a few others at random what it has heard lately, as a rumour spreads. */
        GOSSIP,

        /** Each tells the leader of a range of keys, which tells each what all others have spent. */
        LEADER
    }

    /**
     * How the hosts tell one another.
     *
     * @return the same for as long as the group lives, and on all hosts: those of another mind do not hear one another
     */
    Topology topology();

    /**
     * This host.
     *
     * @return what the others know it by; another one after each start
     */
    UUID self();

    /**
     * The hosts that are known to be there.
     *
     * @return this host among them, each once; the same list until they change. Hosts may differ about it for a while
     */
    List<UUID> members();

    /**
     * Sends a message to one host. Returns at once, and does not fail where the host cannot be reached; it is heard there
     * as any other message is.
     *
     * @param host one of {@link #members()}, or one that has been
     * @param message not to be written to any more
     */
    void send(UUID host, byte[] message);

    /**
     * How long a message should be at most, so that a network carries it in one piece.
     *
     * @return bytes, at least 500; by default as many as fit into a datagram on any usual network
     */
    default int mostBytes() {
        return 1_400;
    }
}
