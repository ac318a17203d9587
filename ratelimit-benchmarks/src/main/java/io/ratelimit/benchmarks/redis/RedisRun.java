package io.ratelimit.benchmarks.redis;

import io.ratelimit.benchmarks.Fact;
import io.ratelimit.benchmarks.Interleaved;
import io.ratelimit.benchmarks.Markdown;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/** Measures decisions that hosts share in Redis. */
public final class RedisRun {

    private static final int CLIENTS = 200;
    private static final int CALLS = 2_000;

    /** So many that all is compiled as it will stay, which takes some ten thousands of calls of each. */
    private static final int WARM_UP_ROUNDS = 30;

    private static final int CROWD_WARM_UP_ROUNDS = 5;
    private static final int ROUNDS = 15;
    private static final int THREADS = 8;
    private static final int CROWD = 400;
    private static final int CROWD_ROUNDS = 5;
    private static final long CROWD_NANOS = 1_000_000_000L;

    private final String uri;
    private final PrintStream progress;

    /**
     * Makes a run.
     *
     * @param uri where Redis is
     * @param progress where it says what it does
     */
    public RedisRun(String uri, PrintStream progress) {
        this.uri = uri;
        this.progress = progress;
    }

    /**
     * Measures.
     *
     * @param facts what the figures depend on
     * @return the report, in Markdown
     * @throws IOException if Redis fails
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    public String report(List<Fact> facts) throws IOException, InterruptedException {
        try (RedisLimiters limiters = new RedisLimiters(uri)) {
            List<Fact> all = new ArrayList<>(facts);
            all.add(new Fact("Redis", version(limiters)));
            Markdown report = new Markdown(all);
            addTimes(report, limiters);
            addRates(report, "Eight threads, each with clients of its own", limiters, THREADS, i -> "client-" + i);
            addRates(report, "One client, asked for by eight threads", limiters, THREADS, i -> "hot");
            addRates(report, "One client, asked for by 400 threads", limiters, CROWD, i -> "hot");
            progress.println("# Redis: memory");
            new RedisFootprint(limiters).addTo(report, uri);
            return report.toString();
        }
    }

    private static String version(RedisLimiters limiters) {
        return limiters.commands()
                .info("server")
                .lines()
                .filter(line -> line.startsWith("redis_version:"))
                .map(line -> line.substring(line.indexOf(':') + 1))
                .findFirst()
                .orElse("unknown");
    }

    private void addTimes(Markdown report, RedisLimiters limiters) throws IOException, InterruptedException {
        progress.println("# Redis: one decision after the other");
        Interleaved<Way> times = Interleaved.take(Way.class, WARM_UP_ROUNDS, ROUNDS, way -> time(limiters, way));
        report.table(
                "One decision after the other",
                "| --- | ---: | ---: | ---: | ---: |",
                List.of("what", "p50 µs", "× bare", "× Bucket4j", "p99 µs"));
        for (Way way : Way.values()) {
            long half = times.middle(way, 0);
            report.row(List.of(
                    way.title(),
                    Interleaved.micros(half),
                    Interleaved.ratio(half, times.middle(Way.BARE, 0)),
                    Interleaved.ratio(half, times.middle(Way.BUCKET4J, 0)),
                    Interleaved.micros(times.middle(way, 1))));
        }
    }

    /** The median and the 99th percentile of some calls, in nanoseconds. */
    private static long[] time(RedisLimiters limiters, Way way) {
        List<BooleanSupplier> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(limiters.of(way, way == Way.OURS_LEASED ? "hot" : "client-" + i));
        }
        long[] took = new long[CALLS];
        for (int i = 0; i < CALLS; i++) {
            long begun = System.nanoTime();
            boolean passed = clients.get(i % CLIENTS).getAsBoolean();
            took[i] = System.nanoTime() - begun;
            if (!passed) {
                throw new IllegalStateException(way + " refused");
            }
        }
        return percentiles(took);
    }

    private static long[] percentiles(long[] took) {
        Arrays.sort(took);
        return new long[] {took[took.length / 2], took[(int) (took.length * 0.99)]};
    }

    private void addRates(
            Markdown report, String title, RedisLimiters limiters, int threads, IntFunction<String> client)
            throws IOException, InterruptedException {
        progress.println("# Redis: " + title);
        Interleaved<Way> rates = Interleaved.take(
                Way.class, CROWD_WARM_UP_ROUNDS, CROWD_ROUNDS, way -> rate(limiters, way, threads, client));
        report.table(title, "| --- | ---: | ---: | ---: |", List.of("what", "decisions/s", "× Bucket4j", "p99 µs"));
        for (Way way : Way.values()) {
            long rate = rates.middle(way, 0);
            report.row(List.of(
                    way.title(),
                    Interleaved.number(rate),
                    Interleaved.ratio(rate, rates.middle(Way.BUCKET4J, 0)),
                    Interleaved.micros(rates.middle(way, 1))));
        }
    }

    /** How many decisions threads get done in a second, and the 99th percentile of their times. */
    private static long[] rate(RedisLimiters limiters, Way way, int threads, IntFunction<String> client)
            throws InterruptedException {
        LongAdder done = new LongAdder();
        long[] slow = new long[threads];
        long end = System.nanoTime() + CROWD_NANOS;
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            BooleanSupplier call = limiters.of(way, client.apply(i));
            Thread thread = new Thread(() -> slow[number] = percentiles(callUntil(end, call, done))[1]);
            all.add(thread);
            thread.start();
        }
        for (Thread thread : all) {
            thread.join();
        }
        Arrays.sort(slow);
        return new long[] {done.sum() * 1_000_000_000L / CROWD_NANOS, slow[threads / 2]};
    }

    private static long[] callUntil(long end, BooleanSupplier call, LongAdder done) {
        long[] took = new long[1_024];
        int count = 0;
        do {
            long begun = System.nanoTime();
            if (call.getAsBoolean()) {
                done.increment();
            }
            took = count == took.length ? Arrays.copyOf(took, 2 * count) : took;
            took[count++] = System.nanoTime() - begun;
        } while (System.nanoTime() - end < 0);
        return Arrays.copyOf(took, count);
    }
}
