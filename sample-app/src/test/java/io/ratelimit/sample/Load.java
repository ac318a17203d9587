package io.ratelimit.sample;

import io.ratelimit.sample.Caller.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Calls by several threads, each with a short pause after each call, until it is closed. */
final class Load implements AutoCloseable {

    private static final long PAUSE_NANOS = 5_000_000;

    private final Queue<Sample> samples = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ended;

    Load(int count, IntFunction<Answer> call) {
        for (int i = 0; i < count; i++) {
            int caller = i;
            Thread thread = new Thread(() -> run(caller, call), "load-" + i);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void run(int caller, IntFunction<Answer> call) {
        while (!ended) {
            long at = System.nanoTime();
            try {
                samples.add(new Sample(at, call.apply(caller), null));
            } catch (RuntimeException e) {
                samples.add(new Sample(at, null, e));
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** The calls that began in a part of the time, {@link System#nanoTime()}. */
    List<Sample> between(long from, long to) {
        return samples.stream()
                .filter(sample -> sample.at - from >= 0 && sample.at - to < 0)
                .toList();
    }

    List<Sample> all() {
        return List.copyOf(samples);
    }

    @Override
    public void close() throws InterruptedException {
        ended = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** One call: an answer, or what went wrong. */
    record Sample(
            long at, @Nullable Answer answer, @Nullable RuntimeException failure) {

        boolean isAnswered() {
            return answer != null && (answer.isPassed() || answer.isRefused());
        }

        boolean isPassed() {
            return answer != null && answer.isPassed();
        }

        Duration took() {
            return answer == null ? Duration.ofDays(1) : answer.took();
        }
    }
}
