package io.ratelimit.benchmarks.cluster;

import io.ratelimit.benchmarks.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The loopback address with a proxy before each host: the others know it by its proxy's address. Who connects is told by
 * the port that he comes from, of which each host has a range of its own.
 */
final class Proxies implements Network {

    private static final int BACKLOG = 100;
    private static final int PORTS_EACH = 200;

    private final Weather weather = new Weather();
    private final List<Integer> memberPorts;
    private final List<ServerSocket> proxies = new ArrayList<>();
    private final int firstOutboundPort;

    private Proxies(List<Integer> memberPorts, int firstOutboundPort) {
        this.memberPorts = memberPorts;
        this.firstOutboundPort = firstOutboundPort;
    }

    /** Begins to accept connections. */
    static Proxies of(int hosts) throws IOException {
        // Below the ports that the system gives away by itself.
        Proxies network = new Proxies(FreePorts.find(hosts), 20_000);
        for (int i = 0; i < hosts; i++) {
            ServerSocket proxy = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
            network.proxies.add(proxy);
            int host = i;
            Thread thread = new Thread(() -> network.accept(proxy, host), "proxy-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        return network;
    }

    private void accept(ServerSocket proxy, int host) {
        while (!proxy.isClosed()) {
            try {
                Socket caller = proxy.accept();
                connect(caller, host);
            } catch (IOException e) {
                // The proxy was closed, or the host is not there: the next caller may find it.
            }
        }
    }

    private void connect(Socket caller, int host) throws IOException {
        int from = Math.floorDiv(caller.getPort() - firstOutboundPort, PORTS_EACH);
        Socket member;
        try {
            member = new Socket(InetAddress.getLoopbackAddress(), memberPorts.get(host));
        } catch (IOException e) {
            caller.close();
            throw e;
        }
        caller.setTcpNoDelay(true);
        member.setTcpNoDelay(true);
        new Link(from, caller, host, member, weather).start();
        new Link(host, member, from, caller, weather).start();
    }

    @Override
    public List<String> prefix(int host) {
        return List.of();
    }

    @Override
    public Map<String, String> settings(int host, String cluster, Path directory) throws IOException {
        int outbound = firstOutboundPort + host * PORTS_EACH;
        String members = proxies.stream()
                .map(proxy -> "\"127.0.0.1:" + proxy.getLocalPort() + "\"")
                .collect(Collectors.joining(", "));
        Path file = Files.writeString(directory.resolve("hazelcast-" + host + ".yaml"), """
                hazelcast:
                  cluster-name: %s
                  advanced-network:
                    enabled: true
                    member-server-socket-endpoint-config:
                      public-address: 127.0.0.1:%d
                      port: { port: %d, auto-increment: false }
                      outbound-ports: [ "%d-%d" ]
                      interfaces: { enabled: true, interfaces: [ 127.0.0.1 ] }
                    join:
                      auto-detection: { enabled: false }
                      tcp-ip: { enabled: true, member-list: [ %s ] }
                """.formatted(
                        cluster,
                        proxies.get(host).getLocalPort(),
                        memberPorts.get(host),
                        outbound,
                        outbound + PORTS_EACH - 1,
                        members));
        return Map.of("hazelcastConfig", file.toString());
    }

    @Override
    public void begin(Scenario.Action action, int host) {
        weather.begin(action, host);
    }

    @Override
    public void heal(int host) {
        weather.heal(host);
    }

    @Override
    public void close() throws IOException {
        for (ServerSocket proxy : proxies) {
            proxy.close();
        }
    }
}
