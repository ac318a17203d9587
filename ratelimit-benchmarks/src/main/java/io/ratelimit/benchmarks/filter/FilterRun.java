package io.ratelimit.benchmarks.filter;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Measures what a filter costs a server. In each round, every variant answers as many requests as the others, in an
 * order that is drawn anew.
 */
public final class FilterRun {

    /** The order of the variants is random, and the same in every run. */
    private static final long SEED = 4711;

    /** After the last answer, the server's threads have a little left to do before they sleep and are counted. */
    private static final long MILLIS_TO_COME_TO_REST = 2;

    /**
     * Collections of the young generation come every few thousand requests, so that each variant pays for its own
     * garbage. No thread ends: it would take its times along.
     */
    private static final List<String> JVM_FLAGS =
            List.of("-Xms256m", "-Xmx256m", "-Xmn8m", "-XX:+UseSerialGC", "-XX:-UseDynamicNumberOfCompilerThreads");

    /** Of which the slowest one in a hundred is looked at. */
    private static final int SINGLE_REQUESTS = 400;

    private final FilterEffort effort;
    private final PrintStream progress;

    /**
     * Makes a run.
     *
     * @param effort how long it measures
     * @param progress where it says what it does
     */
    public FilterRun(FilterEffort effort, PrintStream progress) {
        this.effort = effort;
        this.progress = progress;
    }

    /**
     * Under what the servers run.
     *
     * @return flags of the virtual machine
     */
    public static String jvmFlags() {
        return String.join(" ", JVM_FLAGS);
    }

    /**
     * Measures.
     *
     * @param wanted which containers, by names such as {@code filter.Jetty}
     * @return all variants of these; empty where the machine does not count the time of threads
     * @throws IOException if a server does not start or answers otherwise than it should
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    public List<FilterMeasurement> measure(Predicate<String> wanted) throws IOException, InterruptedException {
        List<FilterMeasurement> measurements = new ArrayList<>();
        for (Container container : Container.values()) {
            if (wanted.test("filter." + container.title())) {
                measurements.addAll(measure(container));
            }
        }
        return measurements;
    }

    private List<FilterMeasurement> measure(Container container) throws IOException, InterruptedException {
        if (!ThreadTimes.canBeRead()) {
            progress.println("# Servlet filter on " + container.title() + ": needs /proc of Linux, left out");
            return List.of();
        }
        Map<Variant, List<Sample>> samples = new EnumMap<>(Variant.class);
        for (int process = 1; process <= effort.processes(); process++) {
            progress.println(
                    "# Servlet filter on " + container.title() + ": server " + process + " of " + effort.processes());
            measure(container, samples);
        }
        return samples.entrySet().stream()
                .map(entry -> new FilterMeasurement(container, entry.getKey(), entry.getValue()))
                .toList();
    }

    private void measure(Container container, Map<Variant, List<Sample>> samples)
            throws IOException, InterruptedException {
        Random random = new Random(SEED);
        List<Variant> order = new ArrayList<>(container.variants());
        try (ServerProcess server = ServerProcess.start(container, JVM_FLAGS);
                Client client = new Client(server.port())) {
            for (int round = -effort.warmupRounds(); round < effort.rounds(); round++) {
                Collections.shuffle(order, random);
                for (Variant variant : order) {
                    Sample sample = sample(server, client, new Application(variant));
                    if (round >= 0) {
                        samples.computeIfAbsent(variant, first -> new ArrayList<>())
                                .add(sample);
                    }
                }
            }
        }
    }

    private Sample sample(ServerProcess server, Client client, Application application)
            throws IOException, InterruptedException {
        ThreadTimes times = server.threadTimes();
        long allocated = server.allocatedBytes();
        ProcessorTime before = times.read();
        int requests = client.ask(application, effort.requests());
        TimeUnit.MILLISECONDS.sleep(MILLIS_TO_COME_TO_REST);
        ProcessorTime used = times.read().since(before);
        long bytes = server.allocatedBytes() - allocated;
        return Sample.of(used, bytes, requests, client.p99Micros(application, SINGLE_REQUESTS));
    }
}
