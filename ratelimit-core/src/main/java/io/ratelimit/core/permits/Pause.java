package io.ratelimit.core.permits;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** How a thread waits its turn; tests wait otherwise. */
@FunctionalInterface
interface Pause {

    /** Parks the thread, which is more exact than the milliseconds that it would sleep. */
    Pause PARK = Pause::park;

    /**
     * Waits, never shorter than asked.
     *
     * @param nanos nanoseconds, at least 1
     */
    void await(long nanos) throws InterruptedException;

    private static void park(long nanos) throws InterruptedException {
        long start = System.nanoTime();
        long left = nanos;
        while (left > 0) {
            LockSupport.parkNanos(Pause.class, left);
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted " + TimeUnit.NANOSECONDS.toMillis(nanos)
                        + " ms before the turn, or less; it is given back");
            }
            left = nanos - (System.nanoTime() - start);
        }
    }
}
