package io.ratelimit.servlet;

import io.ratelimit.TimeSource;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports faults of the limiter itself, at most one a minute, with how many were kept back. Thread-safe. */
final class FaultLog {

    private static final Logger LOG = LoggerFactory.getLogger(RateLimitFilter.class);

    private static final long QUIET_NANOS = 60_000_000_000L;

    private final TimeSource timeSource;
    private final AtomicLong nextNanos;
    private final AtomicLong keptBack = new AtomicLong();

    FaultLog(TimeSource timeSource) {
        this.timeSource = timeSource;
        this.nextNanos = new AtomicLong(timeSource.nanoTime());
    }

    void report(String what, Throwable fault) {
        long now = timeSource.nanoTime();
        long next = nextNanos.get();
        if (now - next < 0 || !nextNanos.compareAndSet(next, now + QUIET_NANOS)) {
            keptBack.incrementAndGet();
            return;
        }
        LOG.error("{} ({} more since the last report)", what, keptBack.getAndSet(0), fault);
    }
}
