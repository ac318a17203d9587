package io.ratelimit.sample;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How the nodes of this process find each other, and the processes that were named by {@code --join}. Each node is told
 * its own port and the members before it, and nobody else's: two samples that happen to run side by side stay apart.
 */
final class Membership implements Sharing {

    private static final String CLUSTER = "orders";
    private static final String LOOPBACK = "127.0.0.1";
    private static final int LAST_PORT = 65_535;

    private final List<HostAndPort> known;
    private int nextPort;

    /**
     * Begins a membership.
     *
     * @param firstPort the first port to try
     * @param join members of other processes
     */
    Membership(int firstPort, List<HostAndPort> join) {
        this.nextPort = firstPort;
        this.known = new ArrayList<>(join);
    }

    /**
     * The settings of the next node's member, on the next port that is free.
     *
     * @throws StartException if none is
     */
    @Override
    public Map<String, String> next() {
        HostAndPort own = new HostAndPort(LOOPBACK, freePort());
        String members = Stream.concat(known.stream(), Stream.of(own))
                .map(HostAndPort::toString)
                .collect(Collectors.joining(","));
        return Map.of("cluster", CLUSTER, "members", members, "memberPort", Integer.toString(own.port()));
    }

    @Override
    public void joined(HostAndPort member) {
        known.add(member);
    }

    private int freePort() {
        IOException taken = null;
        while (nextPort <= LAST_PORT) {
            int port = nextPort++;
            try (ServerSocket probe = new ServerSocket()) {
                probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return port;
            } catch (IOException e) {
                taken = e;
            }
        }
        throw new StartException("no port is left for a member: give --member-port a lower one", taken);
    }
}
