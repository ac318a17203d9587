package io.ratelimit.core.thread;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Makes the daemon threads of an executor, and waits for their end. An executor says that it has terminated a moment before
 * its threads have; a container that looks for threads of an application in that moment takes them for a leak. Thread-safe.
 */
public final class DaemonThreads implements ThreadFactory {

    private final String name;
    private final Set<Thread> made = ConcurrentHashMap.newKeySet();

    /**
     * Makes a factory.
     *
     * @param name what all its threads are called
     */
    public DaemonThreads(String name) {
        this.name = name;
    }

    @Override
    public Thread newThread(Runnable work) {
        made.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        made.add(thread);
        return thread;
    }

    /**
     * Waits until no thread is left; an executor must be shut down before. Does not wait for the thread that calls.
     *
     * @param nanos how long to wait at most, in nanoseconds, for all threads together
     * @throws InterruptedException if the caller is interrupted meanwhile
     */
    public void awaitEnd(long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        for (Thread thread : made) {
            if (thread != Thread.currentThread()) {
                TimeUnit.NANOSECONDS.timedJoin(thread, end - System.nanoTime());
            }
        }
    }
}
