package io.ratelimit.redis;

import io.ratelimit.Decision;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.explain.DescribedRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Requests of many clients of an engine on several threads, one after the other, until it is closed. */
final class DecisionLoad implements AutoCloseable {

    private static final int THREADS = 4;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int CLIENTS = 500;

    /**
     * One decision.
     *
     * @param atNanos when it was asked for
     * @param tookNanos how long it took
     * @param failure whether onFailure answered
     * @param allowed whether the request passed
     */
    record Sample(long atNanos, long tookNanos, boolean failure, boolean allowed) {}

    private final RateLimitEngine engine;
    private final Queue<Sample> samples = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    private final AtomicLong requests = new AtomicLong();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ended;

    DecisionLoad(RateLimitEngine engine) {
        this.engine = engine;
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(this::run, "load-" + i);
            threads.add(thread);
            thread.start();
        }
    }

    private void run() {
        while (!ended) {
            long client = requests.getAndIncrement() % CLIENTS;
            long begun = System.nanoTime();
            try {
                Decision decision =
                        engine.limiter().decide(DescribedRequest.parse("GET /api ip=10.0.0." + client % 250));
                samples.add(new Sample(
                        begun,
                        System.nanoTime() - begun,
                        decision.reason() == Decision.Reason.FAILURE,
                        decision.allowed()));
            } catch (RuntimeException | Error e) {
                thrown.add(e);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** The decisions that were asked for in a part of the time. */
    List<Sample> between(long from, long to) {
        return samples.stream()
                .filter(sample -> sample.atNanos() - from >= 0 && sample.atNanos() - to < 0)
                .toList();
    }

    /** The decisions since some time. */
    List<Sample> since(long from) {
        return between(from, System.nanoTime());
    }

    /** Forgets the decisions up to now, which take memory. */
    void forget() {
        samples.clear();
    }

    /** What reached the application and must not. */
    List<Throwable> thrown() {
        return List.copyOf(thrown);
    }

    /** The 99th percentile of how long decisions took. */
    static Duration p99(List<Sample> samples) {
        long[] took = samples.stream().mapToLong(Sample::tookNanos).sorted().toArray();
        return Duration.ofNanos(took[(int) (took.length * 0.99)]);
    }

    @Override
    public void close() throws InterruptedException {
        ended = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
