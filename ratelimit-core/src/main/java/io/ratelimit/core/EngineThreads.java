package io.ratelimit.core;

import io.ratelimit.core.thread.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads of one engine, none of which runs before it has work. Thread-safe. */
final class EngineThreads {

    /** So long may the end of all threads take, which most often is a moment. */
    private static final Duration FAREWELL = Duration.ofSeconds(1);

    private static final long IDLE_SECONDS = 10;

    private final DaemonThreads timers = new DaemonThreads("ratelimit-timer");
    private final DaemonThreads maintainers = new DaemonThreads("ratelimit-maintenance");
    private final DaemonThreads answerers = new DaemonThreads("ratelimit-answers");
    private final ScheduledExecutorService timer = scheduled(timers);
    private final ScheduledExecutorService maintenance = scheduled(maintainers);

    /**
     * As many threads as there is work for, and kept for a while: where a machine has one or two processors, the JDK would
     * make one for each answer, which takes longer than the decision.
     */
    private final ThreadPoolExecutor answers = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), answerers);

    EngineThreads() {
        // After the end, whoever brings an answer goes on with it.
        answers.setRejectedExecutionHandler((task, closed) -> task.run());
    }

    private static ScheduledExecutorService scheduled(DaemonThreads threads) {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, threads);
        executor.setRemoveOnCancelPolicy(true);
        return executor;
    }

    /** Ends waits for the shared store, and does nothing that takes long. */
    ScheduledExecutorService timer() {
        return timer;
    }

    /** Does what takes long. */
    ScheduledExecutorService maintenance() {
        return maintenance;
    }

    /** Where the application goes on once a shared store has answered, however long it takes there. */
    Executor answers() {
        return answers;
    }

    /** Before the stores are closed, which it flushes and sweeps. Waits a second at most. */
    void endMaintenance() {
        maintenance.shutdownNow();
        awaitEnd(maintainers);
    }

    /** Ends all threads, those for answers once they have nothing to do, and waits a second at most. */
    void end() {
        timer.shutdownNow();
        answers.shutdown();
        awaitEnd(timers, answerers);
    }

    /** A container looks for threads of an application as soon as it has ended, and complains of what it finds. */
    private static void awaitEnd(DaemonThreads... kinds) {
        long end = System.nanoTime() + FAREWELL.toNanos();
        try {
            for (DaemonThreads threads : kinds) {
                threads.awaitEnd(end - System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
