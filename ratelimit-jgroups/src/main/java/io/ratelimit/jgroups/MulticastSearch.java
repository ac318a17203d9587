package io.ratelimit.jgroups;

import java.net.InetAddress;
import org.jgroups.protocols.Discovery;
import org.jgroups.protocols.PING;

/**
 * Hosts that hear of one another by multicast, and tell what all are to hear in the same way: one message, however many they
 * are.
 *
 * @param group the multicast address
 * @param port its port
 */
record MulticastSearch(InetAddress group, int port) implements MemberSearch {

    @Override
    public Discovery protocol() {
        return new PING();
    }

    @Override
    public boolean multicasts() {
        return true;
    }
}
