package io.ratelimit.benchmarks.cluster;

import io.ratelimit.benchmarks.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The hosts of a run, all on this machine. Used by one thread. */
final class Cluster implements AutoCloseable {

    /** Hosts that may join later need to be known by where they will be. */
    private static final int MOST_HOSTS = 8;

    private final String name = "bench-" + UUID.randomUUID();
    private final Network network;
    private final Path directory;
    private final Path rules;
    private final List<Integer> ports = new ArrayList<>();
    private final List<Host> hosts = new ArrayList<>();

    private Cluster(Network network, Path directory, Path rules) {
        this.network = network;
        this.directory = directory;
        this.rules = rules;
    }

    /** Starts the hosts of a scenario, one after the other, and waits until all are ready. */
    static Cluster start(Scenario scenario, Path directory) throws IOException, InterruptedException {
        Path rules = directory.resolve("rules.yaml");
        Files.writeString(rules, scenario.rules());
        Network network = scenario.namespaces() ? Namespaces.of(MOST_HOSTS) : new Loopback();
        Cluster cluster = new Cluster(network, directory, rules);
        try {
            cluster.ports.addAll(FreePorts.find(MOST_HOSTS));
            for (int i = 0; i < scenario.hosts(); i++) {
                cluster.join();
            }
            return cluster;
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** Starts another host, and waits until it is ready. */
    Host join() throws IOException {
        int index = hosts.size();
        String members = IntStream.range(0, MOST_HOSTS).mapToObj(this::place).collect(Collectors.joining(","));
        Host host = Host.start(directory, rules, name, network.prefix(index), place(index), members);
        hosts.add(host);
        host.awaitReady();
        return host;
    }

    private String place(int index) {
        return network.address(index) + ":" + ports.get(index);
    }

    Network network() {
        return network;
    }

    Host host(int index) {
        return hosts.get(index);
    }

    List<Request> requests() throws IOException {
        List<Request> all = new ArrayList<>();
        for (Host host : hosts) {
            all.addAll(host.requests());
        }
        return all;
    }

    /** Kills what is left: nobody has to save anything. */
    @Override
    public void close() throws IOException {
        for (Host host : hosts) {
            host.kill();
            host.close();
        }
        network.close();
    }
}
