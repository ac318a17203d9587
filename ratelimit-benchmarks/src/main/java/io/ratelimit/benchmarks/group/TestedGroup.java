package io.ratelimit.benchmarks.group;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Some running hosts. Used by one thread. */
final class TestedGroup implements AutoCloseable {

    private static final int PORTS_OF_A_HOST = 10;
    private static final int FIRST_PORT = 17_800;

    private final List<GroupHost> hosts = new ArrayList<>();

    /**
     * Starts hosts and waits until all know one another.
     *
     * @param topology who tells whom
     * @param count how many
     * @param small whether they run on a small machine
     */
    static TestedGroup start(String transport, String topology, int count, boolean small) throws IOException {
        TestedGroup group = new TestedGroup();
        String name = "measured-" + UUID.randomUUID();
        String members = IntStream.range(FIRST_PORT, FIRST_PORT + count)
                .mapToObj(port -> "127.0.0.1:" + port)
                .collect(Collectors.joining(","));
        try {
            for (int i = 0; i < count; i++) {
                int port = FIRST_PORT + i - i % PORTS_OF_A_HOST;
                GroupHost host = GroupHost.start(small, transport, topology, "" + port, members, name);
                group.hosts.add(host);
                // One after the other, as they share two processors.
                host.awaitReady();
            }
            for (GroupHost host : group.hosts) {
                host.awaitHosts(count);
            }
            return group;
        } catch (IOException | RuntimeException e) {
            group.close();
            throw e;
        }
    }

    GroupHost first() {
        return hosts.get(0);
    }

    List<GroupHost> others() {
        return hosts.subList(1, hosts.size());
    }

    /**
     * Asks for one client at all hosts, evenly.
     *
     * @param rate requests a second, of all together
     * @return how many asked, and then how many passed in each second, of all together
     */
    long[] load(String client, double rate, int seconds) throws IOException {
        for (GroupHost host : hosts) {
            host.beginLoad(client, rate / hosts.size(), seconds);
        }
        long[] sums = new long[1 + seconds];
        for (GroupHost host : hosts) {
            long[] here = host.endLoad();
            for (int i = 0; i < sums.length; i++) {
                sums[i] += here[i];
            }
        }
        return sums;
    }

    @Override
    public void close() {
        hosts.forEach(GroupHost::close);
    }
}
