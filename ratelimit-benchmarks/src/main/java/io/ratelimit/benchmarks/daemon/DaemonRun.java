package io.ratelimit.benchmarks.daemon;

import io.ratelimit.benchmarks.Fact;
import io.ratelimit.benchmarks.Interleaved;
import io.ratelimit.benchmarks.Markdown;
import io.ratelimit.benchmarks.RulesInMemory;
import io.ratelimit.client.RemoteRateLimiter;
import io.ratelimit.core.RateLimitEngine;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;

/** Measures decisions of a daemon beside those of the library. */
public final class DaemonRun {

    private static final int WARM_UP_ROUNDS = 4;
    private static final int ROUNDS = 9;
    private static final int CALLS = 5_000;
    private static final int CLIENTS = 1_000;
    private static final int MANY = 64;
    private static final long THROUGHPUT_NANOS = 2_000_000_000L;
    private static final long LONGEST_NANOS = 10_000_000_000L;

    /** A decision that comes late is measured as well. */
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    private final Path jar;
    private final PrintStream progress;

    /**
     * Makes a run.
     *
     * @param jar the server's jar
     * @param progress where it says what it does
     */
    public DaemonRun(Path jar, PrintStream progress) {
        this.jar = jar;
        this.progress = progress;
    }

    /**
     * Measures.
     *
     * @param facts what the figures depend on
     * @return the report, in Markdown
     * @throws IOException if the daemon does not start
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    public String report(List<Fact> facts) throws IOException, InterruptedException {
        Map<Way, Asking> ways = new EnumMap<>(Way.class);
        try (DaemonProcess daemon = DaemonProcess.start(jar)) {
            ways.put(Way.LIBRARY, library());
            String http = "http://127.0.0.1:" + daemon.port();
            ways.put(Way.JDK, withoutJetty(http));
            ways.put(Way.JETTY, remote(http));
            ways.put(Way.UNIX, remote("unix:" + daemon.socket()));
            ways.put(Way.GRPC, new GrpcAsking(daemon.grpcPort()));
            Markdown report = new Markdown(facts);
            addTimes(report, ways);
            addThroughput(report, ways);
            return report.toString();
        } finally {
            ways.values().forEach(Asking::close);
        }
    }

    private static Asking library() {
        RateLimitEngine engine = RateLimitEngine.builder()
                .rules(new RulesInMemory(DaemonProcess.rules()))
                .build();
        engine.start();
        return new LimiterAsking(engine.limiter(), engine::close);
    }

    private static Asking remote(String address) {
        RemoteRateLimiter limiter =
                RemoteRateLimiter.of(address).deadline(DEADLINE).build();
        return new LimiterAsking(limiter, limiter::close);
    }

    private static Asking withoutJetty(String address) {
        try {
            return new WithoutJetty().remote(address, DEADLINE);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the client cannot be loaded: " + e, e);
        }
    }

    private void addTimes(Markdown report, Map<Way, Asking> ways) throws IOException, InterruptedException {
        progress.println("# Daemon: one decision after the other");
        Interleaved<Way> times = Interleaved.take(Way.class, WARM_UP_ROUNDS, ROUNDS, way -> time(at(ways, way)));
        report.table(
                "One decision after the other, in µs",
                "| --- | ---: | ---: | ---: | ---: |",
                List.of("way", "p50", "× library", "p99", "p99.9"));
        for (Way way : Way.values()) {
            report.row(List.of(
                    way.title(),
                    Interleaved.micros(times.middle(way, 0)),
                    Interleaved.ratio(times.middle(way, 0), times.middle(Way.LIBRARY, 0)),
                    Interleaved.micros(times.middle(way, 1)),
                    Interleaved.micros(times.middle(way, 2))));
        }
    }

    private static Asking at(Map<Way, Asking> ways, Way way) {
        return Objects.requireNonNull(ways.get(way));
    }

    private static long[] time(Asking asking) {
        Histogram nanos = new Histogram(LONGEST_NANOS, 3);
        for (int i = 0; i < CALLS; i++) {
            String client = "client-" + i % CLIENTS;
            long begin = System.nanoTime();
            require(asking.ask(client));
            nanos.recordValue(Math.min(System.nanoTime() - begin, LONGEST_NANOS));
        }
        return new long[] {
            nanos.getValueAtPercentile(50), nanos.getValueAtPercentile(99), nanos.getValueAtPercentile(99.9)
        };
    }

    /** What passes undecided would be measured as very fast. */
    private static void require(boolean decided) {
        if (!decided) {
            throw new IllegalStateException("a request was not decided, or refused");
        }
    }

    private void addThroughput(Markdown report, Map<Way, Asking> ways) throws InterruptedException {
        report.table(
                "As many decisions a second as callers can get who wait for each",
                "| --- | ---: | ---: |",
                List.of("way", "1 caller", MANY + " callers"));
        for (Way way : Way.values()) {
            progress.println("# Daemon: throughput, " + way.title());
            report.row(List.of(
                    way.title(),
                    Interleaved.number(perSecond(at(ways, way), 1)),
                    Interleaved.number(perSecond(at(ways, way), MANY))));
        }
    }

    private static long perSecond(Asking asking, int callers) throws InterruptedException {
        count(asking, callers);
        return count(asking, callers) * 1_000_000_000L / THROUGHPUT_NANOS;
    }

    private static long count(Asking asking, int callers) throws InterruptedException {
        LongAdder decided = new LongAdder();
        LongAdder others = new LongAdder();
        long end = System.nanoTime() + THROUGHPUT_NANOS;
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            int first = i;
            Thread thread = new Thread(() -> {
                for (int n = first; System.nanoTime() < end; n += MANY) {
                    (asking.ask("client-" + n % CLIENTS) ? decided : others).increment();
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        require(others.sum() == 0);
        return decided.sum();
    }
}
