package io.ratelimit.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.Decision.Reason;
import io.ratelimit.client.RemoteDecision;
import io.ratelimit.client.RemoteRateLimiter;
import io.ratelimit.server.daemon.AskedRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A daemon is frozen, killed and started again under load. Its callers go on, in time, and come back by themselves. */
@Tag("cluster")
class FailingDaemonIT {

    private static final int CALLERS = 8;
    private static final Duration DEADLINE = Duration.ofMillis(50);

    /** Machines that run tests are busy. */
    private static final Duration SLACK = Duration.ofMillis(250);

    /** How long each state of the daemon lasts. What is measured says something from a second on, and is kept then. */
    private static final Duration PHASE = Duration.ofMillis(Long.getLong("phase.millis", 300));

    private static final Figures FIGURES = new Figures("failing-daemon.txt");

    private static final String RULES = """
            service: shop
            rules:
              - { name: everyone, match: { path: /api/** }, key: user, limits: 1000000/s }
              - { name: shut, match: { path: /shut }, key: user, limits: 0 }
            """;

    /** A decision as its caller saw it. */
    private record Seen(long startNanos, long nanos, Reason reason) {

        boolean isDecided() {
            return reason != Reason.FAILURE;
        }
    }

    @TempDir
    private static Path directory;

    private static ServerProcess daemon;

    private final Queue<Seen> seen = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    private final List<Thread> callers = new ArrayList<>();
    private volatile boolean over;

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(directory.resolve("rules.yaml"), RULES);
        daemon = ServerProcess.daemon(directory, "--rules", "rules.yaml");
    }

    @AfterAll
    static void stop() throws InterruptedException {
        if (daemon != null) {
            daemon.close();
        }
    }

    @AfterEach
    void stopCallers() throws InterruptedException {
        over = true;
        for (Thread caller : callers) {
            caller.join();
        }
    }

    private void call(RemoteRateLimiter limiter) {
        for (int i = 0; i < CALLERS; i++) {
            AskedRequest request = new AskedRequest("/api/orders", "user-" + i);
            Thread caller = new Thread(() -> {
                while (!over) {
                    try {
                        long start = System.nanoTime();
                        RemoteDecision decision = limiter.decide(request);
                        seen.add(new Seen(start, System.nanoTime() - start, decision.reason()));
                        TimeUnit.MILLISECONDS.sleep(2);
                    } catch (Throwable e) {
                        thrown.add(e);
                    }
                }
            });
            callers.add(caller);
            caller.start();
        }
    }

    @Test
    void callersGoOnWhileItIsFrozenOrAway() throws Exception {
        try (RemoteRateLimiter limiter =
                RemoteRateLimiter.of(daemon.url().toString()).deadline(DEADLINE).build()) {
            call(limiter);
            awaitDecisions("started");
            report("healthy", pass());

            daemon.freeze();
            List<Seen> frozen = pass();
            daemon.thaw();
            assertThat(frozen).isNotEmpty().noneMatch(Seen::isDecided);
            report("frozen", frozen);
            awaitDecisions("thawed");

            daemon.kill();
            List<Seen> killed = pass();
            assertThat(killed).isNotEmpty().noneMatch(Seen::isDecided);
            report("killed", killed);
            daemon.restart();
            awaitDecisions("started again");

            stopCallers();
        }

        assertThat(thrown).isEmpty();
        assertThat(seen)
                .allSatisfy(decision ->
                        assertThat(Duration.ofNanos(decision.nanos())).isLessThan(DEADLINE.plus(SLACK)));
    }

    @Test
    void localLimitsHoldWhileItIsFrozen() throws Exception {
        try (RemoteRateLimiter limiter = RemoteRateLimiter.of(daemon.url().toString())
                .deadline(DEADLINE)
                .localLimits(directory.resolve("rules.lastgood"), 1_000)
                .build()) {
            daemon.freeze();
            try {
                for (int i = 0; i < 20; i++) {
                    assertThat(limiter.decide(new AskedRequest("/shut", "alice"))
                                    .allowed())
                            .isFalse();
                }
            } finally {
                daemon.thaw();
            }
        }
    }

    /** Lets the callers go on for a while, and tells what they asked and were told in it. */
    private List<Seen> pass() throws InterruptedException {
        long from = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(PHASE.toNanos());
        return seenSince(from);
    }

    private List<Seen> seenSince(long from) {
        return seen.stream().filter(decision -> decision.startNanos() >= from).toList();
    }

    /** Waits until the daemon decides again. */
    private void awaitDecisions(String what) throws IOException {
        long from = System.nanoTime();
        Awaitility.await()
                .atMost(Duration.ofSeconds(15))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> seenSince(from).stream().filter(Seen::isDecided).count() > 100);
        long first = seenSince(from).stream()
                .filter(Seen::isDecided)
                .mapToLong(Seen::startNanos)
                .min()
                .orElseThrow();
        keep("%s: decides after %.2f s".formatted(what, (first - from) / 1e9));
    }

    private static void report(String what, List<Seen> decisions) throws IOException {
        long[] nanos = decisions.stream().mapToLong(Seen::nanos).sorted().toArray();
        keep("%s: %d decisions, %d without the daemon, p50 %.3f ms, p99 %.3f ms, longest %.3f ms"
                .formatted(
                        what,
                        nanos.length,
                        decisions.stream()
                                .filter(decision -> !decision.isDecided())
                                .count(),
                        nanos[nanos.length / 2] / 1e6,
                        nanos[(int) (nanos.length * 0.99)] / 1e6,
                        nanos[nanos.length - 1] / 1e6));
    }

    private static void keep(String line) throws IOException {
        if (PHASE.toMillis() >= 1_000) {
            FIGURES.add(line);
        }
    }
}
