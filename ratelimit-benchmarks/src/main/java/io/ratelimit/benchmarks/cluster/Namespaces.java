package io.ratelimit.benchmarks.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A network namespace of Linux for each host, and a bridge between them. Needs the command {@code ip} and the rights of
 * root.
 */
final class Namespaces implements Network {

    private static final int PORT = 5701;
    private static final String SUBNET = "10.77.0.";

    private final String id = Long.toString(ProcessHandle.current().pid() % 100_000);
    private final int hosts;

    private Namespaces(int hosts) {
        this.hosts = hosts;
    }

    /**
     * Makes the network.
     *
     * @param hosts how many hosts there may be
     */
    static Namespaces of(int hosts) throws IOException, InterruptedException {
        Namespaces network = new Namespaces(hosts);
        try {
            network.build();
            return network;
        } catch (IOException e) {
            network.close();
            throw e;
        }
    }

    private void build() throws IOException, InterruptedException {
        ip("link", "add", bridge(), "type", "bridge");
        ip("link", "set", bridge(), "up");
        for (int i = 0; i < hosts; i++) {
            ip("netns", "add", namespace(i));
            ip("link", "add", link(i), "type", "veth", "peer", "name", "eth0", "netns", namespace(i));
            ip("link", "set", link(i), "master", bridge(), "up");
            ip("-n", namespace(i), "addr", "add", address(i) + "/24", "dev", "eth0");
            ip("-n", namespace(i), "link", "set", "eth0", "up");
            ip("-n", namespace(i), "link", "set", "lo", "up");
        }
    }

    private String bridge() {
        return "rlbr" + id;
    }

    private String namespace(int host) {
        return "rl" + id + "-" + host;
    }

    private String link(int host) {
        return "rlv" + id + "-" + host;
    }

    private static String address(int host) {
        return SUBNET + (host + 1);
    }

    @Override
    public Map<String, String> settings(int host, String cluster, Path directory) {
        List<String> all = IntStream.range(0, hosts)
                .mapToObj(member -> address(member) + ":" + PORT)
                .toList();
        return new MemberAddresses(all).settings(host, cluster);
    }

    @Override
    public List<String> prefix(int host) {
        return List.of("ip", "netns", "exec", namespace(host));
    }

    @Override
    public void begin(Scenario.Action action, int host) throws IOException, InterruptedException {
        switch (action) {
            case CUT -> ip("link", "set", link(host), "nomaster");
            case MUTE -> mute(host);
            default -> throw new IllegalStateException(action + " needs 'network: PROXIES'");
        }
    }

    private void mute(int host) throws IOException, InterruptedException {
        for (int other = 0; other < hosts; other++) {
            if (other != host) {
                ip("-n", namespace(host), "route", "add", "blackhole", address(other) + "/32");
            }
        }
    }

    @Override
    public void heal(int host) throws IOException, InterruptedException {
        ip("link", "set", link(host), "master", bridge());
        ip("-n", namespace(host), "route", "flush", "type", "blackhole");
    }

    /** Takes away whatever is there, each part by itself. */
    @Override
    public void close() throws IOException {
        List<IOException> failures = new ArrayList<>();
        for (int i = 0; i < hosts; i++) {
            attempt(failures, "netns", "del", namespace(i));
        }
        attempt(failures, "link", "del", bridge());
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }

    private static void attempt(List<IOException> failures, String... words) {
        try {
            ip(words);
        } catch (IOException e) {
            failures.add(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void ip(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + said.strip());
        }
    }
}
