package io.ratelimit.benchmarks.scale;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * Threads that call as often as they can, for a number of rounds.
 *
 * @param count how many
 * @param rounds how many rounds; some before do not count, in which the compiler comes round to a whole decision
 * @param round how long each of them takes
 */
record Threads(int count, int rounds, Duration round) {

    private static final int WARM_UP_ROUNDS = 3;
    private static final int CALLS_BETWEEN_LOOKS = 64;

    /**
     * Runs all rounds.
     *
     * @param call what each thread calls, by its number from 0 on
     * @return what each round came to
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    List<Tally> run(IntFunction<Runnable> call) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(count);
        try {
            List<Tally> tallies = new ArrayList<>();
            for (int i = 0; i < WARM_UP_ROUNDS + rounds; i++) {
                tallies.add(new Round().run(pool, call));
            }
            return tallies.subList(WARM_UP_ROUNDS, tallies.size());
        } finally {
            pool.shutdownNow();
        }
    }

    /** One round. */
    private final class Round {

        private final CountDownLatch ready = new CountDownLatch(count);
        private final CountDownLatch go = new CountDownLatch(1);
        private volatile boolean over;

        Tally run(ExecutorService pool, IntFunction<Runnable> call) throws InterruptedException {
            List<Future<Long>> counts = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Runnable called = call.apply(i);
                counts.add(pool.submit(() -> countCalls(called)));
            }
            ready.await();
            long start = System.nanoTime();
            go.countDown();
            TimeUnit.NANOSECONDS.sleep(round.toNanos());
            over = true;
            long nanos = System.nanoTime() - start;
            List<Long> done = new ArrayList<>();
            for (Future<Long> one : counts) {
                done.add(resultOf(one));
            }
            return new Tally(done, nanos);
        }

        private long countCalls(Runnable called) throws InterruptedException {
            ready.countDown();
            go.await();
            long calls = 0;
            while (!over) {
                for (int i = 0; i < CALLS_BETWEEN_LOOKS; i++) {
                    called.run();
                }
                calls += CALLS_BETWEEN_LOOKS;
            }
            return calls;
        }

        private long resultOf(Future<Long> one) throws InterruptedException {
            try {
                return one.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("a thread that is measured failed", e);
            }
        }
    }
}
