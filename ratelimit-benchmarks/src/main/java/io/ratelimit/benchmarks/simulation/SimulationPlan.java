package io.ratelimit.benchmarks.simulation;

import io.ratelimit.benchmarks.simulation.Scenario.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** All runs of a report. Immutable. */
final class SimulationPlan {

    /** The tables of a report. */
    enum Section {
        OVERLOAD("One bucket, asked for more than its limit"),
        BELOW("Below the limit"),
        UNEVEN("100 hosts, uneven load and hosts that start again"),
        BUCKETS("Many buckets, 10 hosts");

        private final String title;

        Section(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }
    }

    /**
     * A run.
     *
     * @param section the table that it belongs to
     * @param options what distinguishes it, as on the command line
     * @param scenario the same, read
     */
    record Planned(Section section, List<String> options, Scenario scenario) {

        Planned {
            options = List.copyOf(options);
        }

        /** What is remembered of it. */
        String key() {
            return String.join(" ", options);
        }
    }

    private final List<Planned> all = new ArrayList<>();

    private SimulationPlan() {}

    /** Those of few hosts first, and last those that take longest. */
    static List<Planned> all() {
        SimulationPlan plan = new SimulationPlan();
        for (int hosts : List.of(3, 10, 100)) {
            for (Topology topology : Topology.values()) {
                plan.addOverload(topology, hosts);
            }
        }
        plan.addBelow();
        plan.addUneven();
        plan.addOverload(Topology.LEADER, 1_000);
        plan.addBuckets();
        plan.addOverload(Topology.LEADER, 3_000);
        plan.addOverload(Topology.LEADER, 10_000);
        plan.addOverload(Topology.GOSSIP, 1_000);
        plan.addOverload(Topology.LEADER, 30_000);
        plan.addOverload(Topology.GOSSIP, 10_000);
        return List.copyOf(plan.all);
    }

    private void addOverload(Topology topology, int hosts) {
        boolean takesLong = topology == Topology.GOSSIP ? hosts >= 1_000 : hosts > 10_000 || hosts == 3_000;
        for (int load : takesLong ? List.of(10) : List.of(2, 10)) {
            for (String loss : hosts > 10_000 ? List.of("--loss=0") : List.of("--loss=0", "--loss=0.3")) {
                List<String> options = new ArrayList<>(List.of("--load=" + load, loss));
                options.addAll(length(topology, hosts, load));
                add(Section.OVERLOAD, topology, hosts, options.toArray(String[]::new));
            }
        }
    }

    /**
     * A great overload comes in waves, longer ones the more hosts there are; but what takes minutes is simulated for a shorter
     * time. Of many gossiping hosts, each remembers each that is asked.
     */
    private static List<String> length(Topology topology, int hosts, int load) {
        if (topology == Topology.GOSSIP && hosts == 10_000) {
            return List.of("--asked=100", "--limit=20", "--settling=10", "--duration=20");
        }
        if (topology == Topology.GOSSIP && hosts == 1_000) {
            return List.of("--settling=10", "--duration=30");
        }
        if (hosts > 10_000) {
            return List.of("--settling=5", "--duration=5");
        }
        if (hosts == 10_000) {
            return List.of("--settling=10", load > 2 ? "--duration=60" : "--duration=20");
        }
        if (hosts == 3_000) {
            return List.of("--settling=10", "--duration=50");
        }
        if (hosts == 1_000 && load > 2) {
            return List.of("--settling=30", "--duration=300");
        }
        if (topology == Topology.MESH && hosts == 100) {
            return List.of("--settling=10", "--duration=20");
        }
        return hosts >= 100 ? List.of("--settling=30", "--duration=60") : List.of();
    }

    private void addBelow() {
        for (int hosts : List.of(10, 100)) {
            for (Topology topology : Topology.values()) {
                add(Section.BELOW, topology, hosts, "--load=0.8", "--settling=5", "--duration=15");
            }
        }
        add(Section.BELOW, Topology.LEADER, 1_000, "--load=0.8", "--settling=5", "--duration=15");
    }

    private void addUneven() {
        for (Topology topology : List.of(Topology.GOSSIP, Topology.LEADER)) {
            add(Section.UNEVEN, topology, 100, "--host-skew=one");
            add(Section.UNEVEN, topology, 100, "--host-skew=zipf");
            add(Section.UNEVEN, topology, 100, "--restarts=6");
        }
    }

    private void addBuckets() {
        for (Topology topology : Topology.values()) {
            add(
                    Section.BUCKETS,
                    topology,
                    10,
                    "--buckets=1000",
                    "--bucket-skew=zipf",
                    "--load=0.5",
                    "--limit=10",
                    "--settling=5",
                    "--duration=10");
            add(
                    Section.BUCKETS,
                    topology,
                    10,
                    "--buckets=50000",
                    "--load=0.1",
                    "--limit=10",
                    "--settling=1",
                    "--duration=2");
        }
    }

    private void add(Section section, Topology topology, int hosts, String... more) {
        List<String> options = new ArrayList<>();
        options.add("--topology=" + topology.name().toLowerCase(Locale.ROOT));
        options.add("--hosts=" + hosts);
        options.addAll(List.of(more));
        all.add(new Planned(section, options, Scenario.of(options)));
    }
}
