package io.ratelimit.benchmarks.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The hosts of a run, all on this machine. Used by one thread. */
final class Cluster implements AutoCloseable {

    /** The file with the rules. */
    static final String RULES = "rules.yaml";

    private final String name = "bench-" + UUID.randomUUID();
    private final Scenario scenario;
    private final Network network;
    private final Path directory;
    private final List<Host> hosts = new ArrayList<>();

    private Cluster(Scenario scenario, Network network, Path directory) {
        this.scenario = scenario;
        this.network = network;
        this.directory = directory;
    }

    /**
     * Starts the hosts of scenarios and waits until all are ready.
     *
     * @param scenarios at least one, with as many hosts and the same network
     */
    static Cluster start(List<Scenario> scenarios, Path directory) throws IOException, InterruptedException {
        Files.writeString(directory.resolve(RULES), Scenario.rules(scenarios));
        Scenario first = scenarios.get(0);
        Network network = first.network().make(first.mostHosts());
        Cluster cluster = new Cluster(first, network, directory);
        try {
            for (int i = 0; i < first.hosts(); i++) {
                Host host = cluster.begin();
                if (!first.atOnce()) {
                    host.awaitReady();
                }
            }
            if (first.atOnce()) {
                for (Host host : cluster.hosts) {
                    host.awaitReady();
                }
            }
            return cluster;
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** Starts another host, and waits until it is ready. */
    void join() throws IOException {
        begin().awaitReady();
    }

    private Host begin() throws IOException {
        int index = hosts.size();
        Host host = Host.start(
                directory,
                index,
                network.prefix(index),
                scenario.clockMillis(index),
                network.settings(index, name, directory));
        hosts.add(host);
        return host;
    }

    Network network() {
        return network;
    }

    Host host(int index) {
        return hosts.get(index);
    }

    /** How many hosts were started. */
    int count() {
        return hosts.size();
    }

    /** Waits until all hosts have made their requests. */
    void awaitRequests() throws IOException {
        for (Host host : hosts) {
            host.awaitRequests();
        }
    }

    /** The requests of one kind that each host has made. */
    Map<Integer, List<Request>> requests(int kind) throws IOException {
        Map<Integer, List<Request>> all = new LinkedHashMap<>();
        for (int i = 0; i < hosts.size(); i++) {
            all.put(i, hosts.get(i).requests(kind));
        }
        return all;
    }

    /** What the hosts hold that are up. */
    Map<Integer, Host.State> states() throws IOException {
        Map<Integer, Host.State> all = new LinkedHashMap<>();
        for (int i = 0; i < hosts.size(); i++) {
            if (hosts.get(i).isUp()) {
                all.put(i, hosts.get(i).state());
            }
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
