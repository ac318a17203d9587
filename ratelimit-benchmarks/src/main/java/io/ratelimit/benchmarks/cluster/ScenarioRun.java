package io.ratelimit.benchmarks.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Runs scenarios one after the other on one cluster. */
final class ScenarioRun {

    /** Hosts know how many they are, and lease, some seconds after the last one has come. */
    private static final long SETTLING_SECONDS = 4;

    private static final long FIRST_WARM_UP_NANOS = 6_000_000_000L;
    private static final long WARM_UP_NANOS = 1_500_000_000L;

    /** Buckets of the load are full again then, and what was kept of them is gone. */
    private static final long REST_SECONDS = 8;

    private final List<List<Scenario>> groups;
    private final Consumer<Finding> findings;

    /**
     * Makes a run.
     *
     * @param groups scenarios that have their load at the same time, one group after the other; all with as many hosts, and
     *     those of a group with the same events
     * @param findings hears of each when it is over
     */
    ScenarioRun(List<List<Scenario>> groups, Consumer<Finding> findings) {
        this.groups = groups;
        this.findings = findings;
    }

    /** Something to be done at a time. */
    private record Step(double at, Order order) {}

    private interface Order {
        void follow() throws IOException, InterruptedException;
    }

    /** Runs the scenarios with processes of their own. */
    void run() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("ratelimit-cluster");
        List<Scenario> all = groups.stream().flatMap(List::stream).toList();
        try (Cluster cluster = Cluster.start(all, directory)) {
            if (!all.get(0).atOnce()) {
                TimeUnit.SECONDS.sleep(SETTLING_SECONDS);
            }
            int paths = 0;
            for (List<Scenario> group : groups) {
                run(cluster, new Load(group, paths));
                paths += group.size();
            }
        } finally {
            delete(directory);
        }
    }

    /**
     * Scenarios that have their load at the same time.
     *
     * @param group the scenarios
     * @param firstPath the number of the first one's path
     */
    private record Load(List<Scenario> group, int firstPath) {

        private Scenario first() {
            return group.get(0);
        }

        private boolean hasEvents() {
            return !first().events().isEmpty();
        }

        private void begin(Cluster cluster, int host, String run, long start, long end) throws IOException {
            List<Flow> flows = new ArrayList<>();
            for (int i = 0; i < group.size(); i++) {
                flows.add(new Flow(Scenario.path(firstPath + i), group.get(i).rateAt(host)));
            }
            cluster.host(host).load(run + "-" + firstPath, flows, start, end, first().clients());
        }
    }

    private void run(Cluster cluster, Load load) throws IOException, InterruptedException {
        Map<Integer, Host.State> before = load.hasEvents() ? warmStates(cluster, load) : Map.of();
        long start = System.nanoTime() + warmUpNanos(load);
        long end = start + TimeUnit.SECONDS.toNanos(load.first().seconds());
        for (int i = 0; i < cluster.count(); i++) {
            load.begin(cluster, i, "run", start, end);
        }
        for (Step step : steps(cluster, load, start, end)) {
            sleepUntil(start + (long) (step.at() * 1e9));
            step.order().follow();
        }
        sleepUntil(end);
        cluster.awaitRequests();
        Map<Integer, Host.State> after = Map.of();
        if (load.hasEvents()) {
            TimeUnit.SECONDS.sleep(REST_SECONDS);
            after = cluster.states();
        }
        for (int i = 0; i < load.group().size(); i++) {
            Scenario scenario = load.group().get(i);
            Recording recording = new Recording(start, cluster.requests(i));
            findings.accept(new Finding(scenario, Judgement.of(scenario, recording.all()), recording, before, after));
        }
    }

    private static long warmUpNanos(Load load) {
        if (load.first().atOnce()) {
            return 0;
        }
        return load.firstPath() == 0 && !load.hasEvents() ? FIRST_WARM_UP_NANOS : WARM_UP_NANOS;
    }

    /** What hosts hold that have done all of it once. */
    private static Map<Integer, Host.State> warmStates(Cluster cluster, Load load)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        long end = start + 2 * FIRST_WARM_UP_NANOS;
        for (int i = 0; i < cluster.count(); i++) {
            load.begin(cluster, i, "before", start, end);
        }
        cluster.awaitRequests();
        TimeUnit.SECONDS.sleep(REST_SECONDS);
        return cluster.states();
    }

    private static List<Step> steps(Cluster cluster, Load load, long start, long end) {
        List<Step> steps = new ArrayList<>();
        for (Scenario.Event event : load.first().events()) {
            Order begin = event.action() == Scenario.Action.JOIN
                    ? () -> join(cluster, load, start, end)
                    : () -> begin(event, cluster);
            steps.add(new Step(event.at(), begin));
            if (event.action().lasts()) {
                steps.add(new Step(event.end(), () -> end(event, cluster)));
            }
        }
        steps.sort(Comparator.comparingDouble(Step::at));
        return steps;
    }

    private static void join(Cluster cluster, Load load, long start, long end) throws IOException {
        cluster.join();
        load.begin(cluster, cluster.count() - 1, "run", start, end);
    }

    private static void begin(Scenario.Event event, Cluster cluster) throws IOException, InterruptedException {
        Host host = cluster.host(event.host());
        switch (event.action()) {
            case FREEZE -> host.freeze();
            case KILL -> host.kill();
            case LEAVE -> host.leave();
            case CLOCK -> host.setClock(TimeUnit.HOURS.toMillis(1));
            case JOIN -> throw new IllegalArgumentException("hosts that join are no hosts yet");
            case CUT, MUTE, DELAY -> cluster.network().begin(event.action(), event.host());
        }
    }

    private static void end(Scenario.Event event, Cluster cluster) throws IOException, InterruptedException {
        switch (event.action()) {
            case FREEZE -> cluster.host(event.host()).thaw();
            case CLOCK -> cluster.host(event.host()).setClock(0);
            case CUT, MUTE, DELAY -> cluster.network().heal(event.host());
            case KILL, LEAVE, JOIN -> throw new IllegalArgumentException(event.action() + " lasts for ever");
        }
    }

    private static void sleepUntil(long nanos) throws InterruptedException {
        long left = nanos - System.nanoTime();
        if (left > 0) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
