package io.ratelimit.server.daemon;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A start, step by step, that another thread may break off. For one use. Thread-safe. */
final class Start {

    private final CountDownLatch over = new CountDownLatch(1);
    private @Nullable Thread thread;
    private boolean brokenOff;

    /**
     * Takes one step after the other as long as nobody breaks it off.
     *
     * @return whether all were taken; whatever a step throws after it was broken off says no more than that
     * @throws RuntimeException if a step does
     */
    boolean run(Runnable... steps) {
        begin();
        try {
            for (Runnable step : steps) {
                if (isBrokenOff()) {
                    return false;
                }
                step.run();
            }
        } catch (RuntimeException e) {
            if (!isBrokenOff()) {
                throw e;
            }
        } finally {
            end();
        }
        return !isBrokenOff();
    }

    private synchronized void begin() {
        thread = Thread.currentThread();
    }

    private synchronized void end() {
        thread = null;
        if (brokenOff) {
            // The interrupt was meant for the steps alone.
            Thread.interrupted();
        }
        over.countDown();
    }

    private synchronized boolean isBrokenOff() {
        return brokenOff;
    }

    /** Interrupts the step under way, and lets no other one be taken. */
    synchronized void breakOff() {
        brokenOff = true;
        if (thread == null) {
            over.countDown();
        } else {
            thread.interrupt();
        }
    }

    /** Waits until no step is under way, but not for longer than this. */
    void awaitEnd(long millis) {
        try {
            over.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
