package io.ratelimit.core;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads on which the application goes on once a shared store has answered, however long it takes there. As many as there
 * is work for, and kept for a while: where a machine has one or two processors, the JDK would make one for each answer,
 * which takes longer than the decision. Thread-safe.
 */
final class AnswerThreads implements Executor, AutoCloseable {

    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), AnswerThreads::thread);

    AnswerThreads() {
        // After the end, whoever brings an answer goes on with it.
        threads.setRejectedExecutionHandler((task, closed) -> task.run());
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "ratelimit-answers");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    /** Ends the threads once they have nothing to do. */
    @Override
    public void close() {
        threads.shutdown();
    }

    /** Waits for the end of the threads once they are closed. */
    void awaitEnd(long nanos) throws InterruptedException {
        threads.awaitTermination(nanos, TimeUnit.NANOSECONDS);
    }
}
