package io.ratelimit.benchmarks.cluster;

import io.ratelimit.Decision;
import io.ratelimit.RateLimiter;
import io.ratelimit.benchmarks.BenchmarkRequest;
import io.ratelimit.benchmarks.RulesInMemory;
import io.ratelimit.core.RateLimitEngine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One host of a cluster, in a process of its own: an engine, and a caller that makes requests when they are due, however
 * long the others take. Told what to do by lines on standard input.
 */
public final class HostProcess {

    /** What is said before everything that the other process is to read. */
    static final String WORD = "cluster-host: ";

    private static final long SECONDS_FOR_LAST_ANSWERS = 15;

    private final RateLimitEngine engine;

    private HostProcess(RateLimitEngine engine) {
        this.engine = engine;
    }

    /**
     * Runs.
     *
     * @param args the file with the rules, the cluster's name, where this member is and where the others are
     * @throws IOException if the rules cannot be read
     * @throws InterruptedException if the thread is interrupted
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        RateLimitEngine engine = RateLimitEngine.builder()
                .rules(new RulesInMemory(Files.readString(Path.of(args[0]))))
                .setting("cluster", args[1])
                .setting("memberAddress", args[2].substring(0, args[2].indexOf(':')))
                .setting("memberPort", args[2].substring(args[2].indexOf(':') + 1))
                .setting("members", args[3])
                .build();
        engine.start();
        new HostProcess(engine).listen();
        System.exit(0);
    }

    private void listen() throws IOException, InterruptedException {
        say("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "load" -> {
                    Thread caller = new Thread(() -> load(words), "caller");
                    caller.start();
                }
                case "leave" -> {
                    engine.close();
                    say("left");
                    return;
                }
                default -> throw new IllegalArgumentException(line);
            }
        }
    }

    /** {@code load FILE START_NANOS END_NANOS CLIENTS RATE}; until the start, other clients warm the host up. */
    private void load(String[] words) {
        try {
            List<Request> made =
                    requests(Long.parseLong(words[2]), Long.parseLong(words[3]), Integer.parseInt(words[4]), words[5]);
            Request.write(made, Path.of(words[1]));
            say("done");
        } catch (IOException e) {
            System.err.println("the requests could not be written: " + e);
            System.exit(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<Request> requests(long start, long end, int clients, String rate) throws InterruptedException {
        double perSecond = Double.parseDouble(rate) * clients;
        Queue<Request> answered = new ConcurrentLinkedQueue<>();
        List<CountDownLatch> open = new ArrayList<>();
        SplittableRandom random = new SplittableRandom();
        RateLimiter limiter = engine.limiter();
        double due = System.nanoTime();
        while (perSecond > 0) {
            due += -Math.log(1 - random.nextDouble()) * 1e9 / perSecond;
            if (due - end >= 0) {
                break;
            }
            waitUntil((long) due);
            int client = random.nextInt(clients);
            if (due - start < 0) {
                ask(limiter, "warm-up-" + client, client, new ConcurrentLinkedQueue<>());
            } else {
                open.add(ask(limiter, "client-" + client, client, answered));
            }
        }
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_FOR_LAST_ANSWERS);
        for (CountDownLatch one : open) {
            if (!one.await(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                break;
            }
        }
        return List.copyOf(answered);
    }

    private static CountDownLatch ask(RateLimiter limiter, String name, int client, Queue<Request> answered) {
        CountDownLatch done = new CountDownLatch(1);
        long sent = System.nanoTime();
        limiter.decideAsync(new BenchmarkRequest("/orders", name)).whenComplete((decision, failure) -> {
            answered.add(new Request(client, sent, System.nanoTime(), outcome(decision)));
            done.countDown();
        });
        return done;
    }

    private static Request.Outcome outcome(@Nullable Decision decision) {
        return decision == null ? Request.Outcome.BROKEN : Request.Outcome.of(decision);
    }

    private static void waitUntil(long nanos) {
        long left = nanos - System.nanoTime();
        while (left > 0) {
            LockSupport.parkNanos(left);
            left = nanos - System.nanoTime();
        }
    }

    private static void say(String line) {
        System.out.println(WORD + line);
        System.out.flush();
    }
}
