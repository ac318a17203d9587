package io.ratelimit.client;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Knows whether a daemon is worth asking: it is away after a few failures in a row, until it has answered a question that no
 * request waits for, or once one of a request that came too late: a pause of the daemon meets all requests that are under way
 * and costs nothing beyond its end. Thread-safe.
 */
final class Breaker {

    static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private static final int FAILURES_IN_A_ROW = 5;

    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicInteger pauses = new AtomicInteger();
    private final AtomicBoolean isOpen = new AtomicBoolean();

    /** Whether there has been a decision in time since a late one was enough: a daemon that is always late is no use. */
    private final AtomicBoolean forgives = new AtomicBoolean(true);

    boolean isOpen() {
        return isOpen.get();
    }

    /** A request got its decision in time. */
    void succeeded() {
        if (failures.get() != 0) {
            failures.set(0);
        }
        if (pauses.get() != 0) {
            pauses.set(0);
        }
        if (!forgives.get()) {
            forgives.set(true);
        }
    }

    /** A request got its decision, though too late for it. */
    void answeredLate() {
        if (isOpen() && forgives.compareAndSet(true, false)) {
            close();
        }
    }

    /**
     * A request did not get its decision in time.
     *
     * @return whether it was one too many: the caller is to find out when the daemon is back
     */
    boolean failed() {
        return failures.incrementAndGet() >= FAILURES_IN_A_ROW && open();
    }

    /**
     * The daemon is not to be asked.
     *
     * @return whether the caller is to find out when it is back
     */
    boolean open() {
        return isOpen.compareAndSet(false, true);
    }

    /** The daemon is back. */
    void close() {
        failures.set(0);
        isOpen.set(false);
    }

    /**
     * How long to wait before asking whether the daemon is back. Longer each time, until a request has got its decision: a
     * daemon that answers this question alone is not asked more often for it.
     */
    Duration nextPause() {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(pauses.getAndIncrement(), 10));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }
}
