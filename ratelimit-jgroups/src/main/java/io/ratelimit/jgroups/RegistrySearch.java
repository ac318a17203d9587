package io.ratelimit.jgroups;

import java.net.InetSocketAddress;
import java.util.List;
import org.jgroups.protocols.Discovery;
import org.jgroups.protocols.TCPGOSSIP;

/**
 * Hosts that tell JGroups' registry, {@code org.jgroups.stack.GossipRouter}, where they are.
 *
 * @param registries where it runs, each host of them
 */
record RegistrySearch(List<InetSocketAddress> registries) implements MemberSearch {

    RegistrySearch {
        registries = List.copyOf(registries);
    }

    @Override
    public Discovery protocol() {
        return new TCPGOSSIP().setInitialHosts(registries);
    }
}
