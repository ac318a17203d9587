package io.ratelimit.benchmarks.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs one scenario. */
final class ScenarioRun {

    /** Hosts know how many they are, and lease, some seconds after the last one has come. */
    private static final long SETTLING_SECONDS = 4;

    private static final long WARM_UP_NANOS = 6_000_000_000L;

    private final Scenario scenario;

    ScenarioRun(Scenario scenario) {
        this.scenario = scenario;
    }

    /** Something to be done at a time. */
    private record Step(double at, Order order) {}

    private interface Order {
        void follow() throws IOException, InterruptedException;
    }

    /** Runs the scenario with processes of its own, and judges what they did. */
    Judgement run() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("ratelimit-cluster");
        try (Cluster cluster = Cluster.start(scenario, directory)) {
            TimeUnit.SECONDS.sleep(SETTLING_SECONDS);
            long start = System.nanoTime() + WARM_UP_NANOS;
            long end = start + TimeUnit.SECONDS.toNanos(scenario.seconds());
            for (int i = 0; i < scenario.hosts(); i++) {
                cluster.host(i).load(start, end, scenario.clients(), scenario.rateAt(i));
            }
            for (Step step : steps(cluster)) {
                sleepUntil(start + (long) (step.at() * 1e9));
                step.order().follow();
            }
            sleepUntil(end);
            return Judgement.of(scenario, cluster.requests());
        } finally {
            delete(directory);
        }
    }

    private List<Step> steps(Cluster cluster) {
        List<Step> steps = new ArrayList<>();
        for (Scenario.Event event : scenario.events()) {
            steps.add(new Step(event.at(), () -> begin(event, cluster)));
            if (event.seconds() > 0) {
                steps.add(new Step(event.at() + event.seconds(), () -> end(event, cluster)));
            }
        }
        steps.sort(Comparator.comparingDouble(Step::at));
        return steps;
    }

    private static void begin(Scenario.Event event, Cluster cluster) throws IOException, InterruptedException {
        switch (event.action()) {
            case FREEZE -> cluster.host(event.host()).freeze();
            case KILL -> cluster.host(event.host()).kill();
            case LEAVE -> cluster.host(event.host()).leave();
            case JOIN -> cluster.join();
            case CUT -> cluster.network().cut(event.host());
            case MUTE -> cluster.network().mute(event.host());
        }
    }

    private static void end(Scenario.Event event, Cluster cluster) throws IOException, InterruptedException {
        switch (event.action()) {
            case FREEZE -> cluster.host(event.host()).thaw();
            case CUT, MUTE -> cluster.network().heal(event.host());
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
