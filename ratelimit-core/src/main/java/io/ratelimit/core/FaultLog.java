package io.ratelimit.core;

import io.ratelimit.TimeSource;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports faults of the limiter itself, at most one a minute, with how many were kept back: a fault that each request
 * meets must not flood the log. Thread-safe.
 */
public final class FaultLog {

    private static final long QUIET_NANOS = 60_000_000_000L;

    private final Logger log;
    private final TimeSource timeSource;
    private final AtomicLong nextNanos;
    private final AtomicLong keptBack = new AtomicLong();

    /**
     * Makes a log that reports the first fault at once.
     *
     * @param owner the class that the logger is named after
     * @param timeSource tells the minutes
     */
    public FaultLog(Class<?> owner, TimeSource timeSource) {
        this.log = LoggerFactory.getLogger(owner);
        this.timeSource = timeSource;
        this.nextNanos = new AtomicLong(timeSource.nanoTime());
    }

    /**
     * Reports a fault, or counts it if another was reported within the last minute.
     *
     * @param what what the fault means, as a sentence without its full stop
     * @param fault the fault
     */
    public void report(String what, Throwable fault) {
        long now = timeSource.nanoTime();
        long next = nextNanos.get();
        if (now - next < 0 || !nextNanos.compareAndSet(next, now + QUIET_NANOS)) {
            keptBack.incrementAndGet();
            return;
        }
        log.error("{} ({} more since the last report)", what, keptBack.getAndSet(0), fault);
    }
}
