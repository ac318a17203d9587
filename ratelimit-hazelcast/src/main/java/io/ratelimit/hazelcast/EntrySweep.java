package io.ratelimit.hazelcast;

import io.ratelimit.core.thread.DaemonThreads;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the entries of idle clients removed every few seconds. Hazelcast would do so by the wall clock, which is no measure for
 * buckets.
 */
final class EntrySweep implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EntrySweep.class);

    private static final long PERIOD_SECONDS = 5;

    private final Runnable sweep;
    private final DaemonThreads threads = new DaemonThreads("ratelimit-entries");
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(threads);

    /**
     * Makes a sweep that has not begun.
     *
     * @param sweep removes what is forgotten by now; may fail, and ends when it is interrupted
     */
    EntrySweep(Runnable sweep) {
        this.sweep = sweep;
    }

    void begin() {
        thread.scheduleWithFixedDelay(this::trySweep, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
    }

    private void trySweep() {
        try {
            sweep.run();
        } catch (RuntimeException e) {
            LOG.debug("Idle clients are not forgotten now; their entries end by themselves", e);
        }
    }

    /** Sweeps no more; a sweep that is under way is given up. */
    @Override
    public void close() {
        thread.shutdownNow();
    }

    /** After {@link #close}, waits until the thread is gone. */
    void awaitEnd(long millis) throws InterruptedException {
        threads.awaitEnd(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
