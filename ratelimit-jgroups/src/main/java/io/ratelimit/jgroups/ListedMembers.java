package io.ratelimit.jgroups;

import com.google.common.net.HostAndPort;
import com.google.common.net.InetAddresses;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jgroups.Address;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.Discovery;
import org.jgroups.protocols.TCPPING;
import org.jgroups.util.Responses;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hosts in a list. A name is looked up anew for each search and stands for all addresses that it has then, so that one name
 * for all hosts is enough.
 *
 * @param hosts addresses and names, with a port or without
 * @param firstPort of those that are asked where none is given
 * @param ports how many these are
 */
record ListedMembers(List<HostAndPort> hosts, int firstPort, int ports) implements MemberSearch {

    private static final Logger LOG = LoggerFactory.getLogger(ListedMembers.class);

    ListedMembers {
        hosts = List.copyOf(hosts);
    }

    @Override
    public Discovery protocol() {
        return new Search(this).initialHosts(List.of()).portRange(0);
    }

    /**
     * Where hosts may be now.
     *
     * @param missed names that had no address the last time, and then those that have none now
     */
    List<InetSocketAddress> lookUp(Set<String> missed) {
        List<InetSocketAddress> found = new ArrayList<>();
        for (HostAndPort host : hosts) {
            for (InetAddress address : addresses(host.getHost(), missed)) {
                portsOf(host).forEach(port -> found.add(new InetSocketAddress(address, port)));
            }
        }
        return found;
    }

    private IntStream portsOf(HostAndPort host) {
        return host.hasPort() ? IntStream.of(host.getPort()) : IntStream.range(firstPort, firstPort + ports);
    }

    private static List<InetAddress> addresses(String name, Set<String> missed) {
        try {
            List<InetAddress> found = InetAddresses.isInetAddress(name)
                    ? List.of(InetAddresses.forString(name))
                    : List.of(InetAddress.getAllByName(name));
            missed.remove(name);
            return found;
        } catch (UnknownHostException e) {
            if (missed.add(name)) {
                LOG.warn(
                        "setting members names '{}', which has no address now; it is looked up again for each search",
                        name);
            }
            return List.of();
        }
    }

    /** Searches by what names stand for at the time. */
    private static final class Search extends TCPPING {

        private final ListedMembers members;
        private final Set<String> missed = ConcurrentHashMap.newKeySet();

        Search(ListedMembers members) {
            this.members = members;
            setId(ClassConfigurator.getProtocolId(TCPPING.class));
        }

        @Override
        public void findMembers(List<Address> known, boolean initial, Responses responses) {
            initialHosts(members.lookUp(missed));
            super.findMembers(known, initial, responses);
        }
    }
}
