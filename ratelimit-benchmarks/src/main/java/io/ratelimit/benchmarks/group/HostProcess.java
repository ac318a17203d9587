package io.ratelimit.benchmarks.group;

import io.ratelimit.RateLimiter;
import io.ratelimit.benchmarks.BenchmarkRequest;
import io.ratelimit.benchmarks.RulesInMemory;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.store.BucketStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/** One host of a group, in a process of its own. Told what to do by lines on standard input. */
public final class HostProcess {

    /** What is said before everything that the other process is to read. */
    static final String WORD = "host: ";

    /** How many tokens a second one client has under the rule that is loaded. */
    static final int LIMIT = 200;

    /** How many tokens it may take at once. */
    static final int BURST = 20;

    static final int CLIENTS = 10_000;

    /** More than one client asks for when decisions are timed, and so little that three hosts are silent about no token. */
    private static final int TOLD_LIMIT = 380;

    private static final long LONGEST_NANOS = 10_000_000_000L;
    private static final String RULES = """
            service: group
            clients: [user]
            rules:
              - { name: eventual, match: { path: /eventual }, limits: [%1$d per 1s] }
              - { name: host, match: { path: /host }, sharing: host, limits: [%1$d per 1s] }
              - { name: loaded, match: { path: /loaded }, limits: [%2$d/s burst %3$d] }
            """.formatted(TOLD_LIMIT, LIMIT, BURST);

    private final RateLimitEngine engine;
    private final RateLimiter limiter;
    private final SplittableRandom random = new SplittableRandom(1);
    private volatile boolean busy;

    private HostProcess(RateLimitEngine engine) {
        this.engine = engine;
        this.limiter = engine.limiter();
    }

    /**
     * Runs.
     *
     * @param args transport, topology, the first port, where others are, and a name of the group
     * @throws IOException if the other process has gone
     * @throws InterruptedException if the thread is interrupted
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        try (RateLimitEngine engine = RateLimitEngine.builder()
                .rules(new RulesInMemory(RULES))
                .setting("transport", args[0])
                .setting("topology", args[1])
                .setting("memberPort", args[2])
                .setting("members", args[3])
                .setting("cluster", args[4])
                .setting("clusterSecret", "measured as it is used")
                .setting("logRefusals", "0")
                .build()) {
            engine.start();
            new HostProcess(engine).listen();
        }
        System.exit(0);
    }

    private void listen() throws IOException, InterruptedException {
        say("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "hosts" -> awaitHosts(Integer.parseInt(words[1]));
                case "busy" -> beBusy(Integer.parseInt(words[1]));
                case "time" -> time(Way.valueOf(words[1]), Integer.parseInt(words[2]));
                case "load" -> load(words[1], Double.parseDouble(words[2]), Integer.parseInt(words[3]));
                default -> throw new IOException("not understood: " + line);
            }
        }
    }

    private void awaitHosts(int count) throws InterruptedException {
        BucketStore store = engine.sharedStore();
        while (store == null || store.hosts() != count) {
            TimeUnit.MILLISECONDS.sleep(50);
            store = engine.sharedStore();
        }
        say("together");
    }

    /** {@code busy RATE}: spends on all clients in turn, so many times a second, until the end; 0 ends it. */
    private void beBusy(int rate) {
        busy = rate > 0;
        if (busy) {
            Thread spending = new Thread(() -> {
                BenchmarkRequest request = new BenchmarkRequest(Way.EVENTUAL.path(), "");
                long begin = System.nanoTime();
                for (long i = 0; busy; i++) {
                    awaitTurn(begin + i * TimeUnit.SECONDS.toNanos(1) / rate);
                    limiter.decide(request.by("client-" + i % CLIENTS));
                }
            });
            spending.setDaemon(true);
            spending.start();
        }
        say("busy " + rate);
    }

    /** {@code time WAY CALLS}: how long calls take, about one client after the other, in nanoseconds. */
    private void time(Way way, int calls) {
        Histogram nanos = new Histogram(LONGEST_NANOS, 3);
        BenchmarkRequest request = new BenchmarkRequest(way.path(), "");
        for (int i = 0; i < calls; i++) {
            request.by("client-" + random.nextInt(CLIENTS));
            long begin = System.nanoTime();
            limiter.decide(request);
            nanos.recordValue(Math.min(System.nanoTime() - begin, LONGEST_NANOS));
        }
        say("took " + nanos.getValueAtPercentile(50) + " " + nanos.getValueAtPercentile(99) + " "
                + nanos.getValueAtPercentile(99.9));
    }

    /** {@code load CLIENT RATE SECONDS}: asks for one client, evenly; says how often, and how many passed in each second. */
    private void load(String client, double rate, int seconds) {
        BenchmarkRequest request = new BenchmarkRequest("/loaded", client);
        long[] passed = new long[seconds];
        long begin = System.nanoTime();
        long length = TimeUnit.SECONDS.toNanos(seconds);
        long asked = 0;
        for (; ; asked++) {
            awaitTurn(begin + (long) (asked * TimeUnit.SECONDS.toNanos(1) / rate));
            long since = System.nanoTime() - begin;
            if (since >= length) {
                break;
            }
            if (limiter.decide(request).allowed()) {
                passed[(int) TimeUnit.NANOSECONDS.toSeconds(since)]++;
            }
        }
        say("asked " + asked + " "
                + LongStream.of(passed).mapToObj(Long::toString).collect(Collectors.joining(" ")));
    }

    private static void awaitTurn(long nanos) {
        for (long wait = nanos - System.nanoTime(); wait > 0; wait = nanos - System.nanoTime()) {
            LockSupport.parkNanos(wait);
        }
    }

    private static void say(String line) {
        System.out.println(WORD + line);
        System.out.flush();
    }
}
