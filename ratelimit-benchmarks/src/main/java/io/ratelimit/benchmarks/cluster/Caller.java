package io.ratelimit.benchmarks.cluster;

import io.ratelimit.Decision;
import io.ratelimit.RateLimiter;
import io.ratelimit.RequestContext;
import io.ratelimit.benchmarks.BenchmarkRequest;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests when they are due, at random times, however long the others take. Used by one thread.
 */
final class Caller {

    private static final long SECONDS_FOR_LAST_ANSWERS = 15;

    private final RateLimiter limiter;
    private final List<Flow> flows;
    private final int clients;
    private final RequestLogs logs;
    private final double rate;
    private final SplittableRandom random = new SplittableRandom();

    /** The caller, and each request that is not answered. */
    private final Phaser open = new Phaser(1);

    /**
     * Makes a caller.
     *
     * @param flows kinds of requests, made at the same time
     * @param clients how many clients make requests of each kind
     * @param logs where they go, a log for each kind
     */
    Caller(RateLimiter limiter, List<Flow> flows, int clients, RequestLogs logs) {
        this.limiter = limiter;
        this.flows = flows;
        this.clients = clients;
        this.logs = logs;
        this.rate = clients * flows.stream().mapToDouble(Flow::rate).sum();
    }

    /**
     * Makes requests until all are answered.
     *
     * @param start when those begin that count; before, other clients make them
     * @param end when to stop
     * @param stopped whether to stop earlier
     */
    void call(long start, long end, BooleanSupplier stopped) throws InterruptedException {
        double due = System.nanoTime();
        while (rate > 0 && !stopped.getAsBoolean()) {
            due += -Math.log(1 - random.nextDouble()) * 1e9 / rate;
            if (due - end >= 0) {
                break;
            }
            waitUntil((long) due);
            make(due - start >= 0);
        }
        waitForAnswers();
    }

    private void make(boolean counts) {
        int kind = chooseKind();
        int client = random.nextInt(clients);
        String path = flows.get(kind).path();
        String name = path + (counts ? "/client-" : "/warm-up-") + client;
        open.register();
        ask(new BenchmarkRequest(path, name), client, request -> {
            if (counts) {
                logs.add(kind, request);
            }
            open.arriveAndDeregister();
        });
    }

    private int chooseKind() {
        double left = random.nextDouble() * rate / clients;
        int kind = 0;
        while (kind < flows.size() - 1 && left >= flows.get(kind).rate()) {
            left -= flows.get(kind).rate();
            kind++;
        }
        return kind;
    }

    private void ask(RequestContext asked, int client, Consumer<Request> then) {
        long sent = System.nanoTime();
        limiter.decideAsync(asked)
                .whenComplete((decision, failure) ->
                        then.accept(new Request(client, sent, System.nanoTime(), outcome(decision))));
    }

    private static Request.Outcome outcome(@Nullable Decision decision) {
        return decision == null ? Request.Outcome.BROKEN : Request.Outcome.of(decision);
    }

    private void waitForAnswers() throws InterruptedException {
        try {
            open.awaitAdvanceInterruptibly(open.arrive(), SECONDS_FOR_LAST_ANSWERS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            System.err.println("# " + (open.getUnarrivedParties() - 1) + " requests have not been answered");
        }
    }

    private static void waitUntil(long nanos) {
        long left = nanos - System.nanoTime();
        while (left > 0) {
            LockSupport.parkNanos(left);
            left = nanos - System.nanoTime();
        }
    }
}
