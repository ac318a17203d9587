package io.ratelimit.benchmarks;

import io.ratelimit.rules.Limit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The least that a limiter can do, and what ours is compared with: the generic cell rate algorithm (ITU-T I.371,
 * annex A) on one long, read and written by a compare-and-set. It counts whole nanoseconds for a token, knows no other
 * cost than 1 and says nothing but yes or no. Safe for use by any thread.
 */
public final class Gcra {

    private final long nanosPerToken;
    private final long nanosOfCapacity;

    private Gcra(long nanosPerToken, long nanosOfCapacity) {
        this.nanosPerToken = nanosPerToken;
        this.nanosOfCapacity = nanosOfCapacity;
    }

    /**
     * The arithmetic of a limit.
     *
     * @param limit the limit
     * @return the arithmetic
     */
    public static Gcra of(Limit limit) {
        long nanosPerToken = limit.period().toNanos() / limit.tokens();
        return new Gcra(nanosPerToken, nanosPerToken * limit.capacity());
    }

    /**
     * The state of a client that has used nothing.
     *
     * @return a state
     */
    public AtomicLong full() {
        return new AtomicLong(System.nanoTime());
    }

    /**
     * Takes a token.
     *
     * @param fullAgain the time at which the bucket is full again, by {@link System#nanoTime()}
     * @return whether there was one
     */
    public boolean tryAcquire(AtomicLong fullAgain) {
        long now = System.nanoTime();
        while (true) {
            long read = fullAgain.get();
            long from = read - now > 0 ? read : now;
            long spent = from + nanosPerToken;
            if (spent - now > nanosOfCapacity) {
                return false;
            }
            if (fullAgain.compareAndSet(read, spent)) {
                return true;
            }
        }
    }
}
