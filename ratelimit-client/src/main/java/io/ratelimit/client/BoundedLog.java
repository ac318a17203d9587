package io.ratelimit.client;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** One kind of warning, at most once a minute. Thread-safe. */
final class BoundedLog {

    private static final Logger LOG = System.getLogger(RemoteRateLimiter.class.getName());
    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String warning;
    private final AtomicLong nextLine = new AtomicLong(System.nanoTime());

    BoundedLog(String warning) {
        this.warning = warning;
    }

    void warn(Throwable cause) {
        long now = System.nanoTime();
        long next = nextLine.get();
        if (now - next >= 0 && nextLine.compareAndSet(next, now + QUIET_NANOS)) {
            LOG.log(Level.WARNING, warning, cause);
        }
    }
}
