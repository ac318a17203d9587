package io.ratelimit.core.bucket;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A circuit breaker for one owner of shared buckets. It is open while the owner has been silent for longer than an answer
 * is of use, though it was asked something. Any answer closes it, whatever it is the answer to: who answers late is slow,
 * and a call that hangs for a reason of its own says nothing about the others. So there are no counts and no thresholds:
 * the first call that waits in vain is the last one, and a pause of the owner costs nothing beyond its end.
 *
 * <p>While it is open, somebody has to ask whether the owner is back, without a request that waits for that: see
 * {@link #mayProbe}. Times are nanoseconds on one monotonic clock. Thread-safe.
 */
public final class OwnerBreaker {

    private static final long NOTHING = 0;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000_000L;

    /** When the first question was asked after the last answer; never 0 by chance, as its lowest bit is set. */
    private final AtomicLong askedSince = new AtomicLong(NOTHING);

    private final AtomicLong probed = new AtomicLong(NOTHING);

    /** Makes a breaker that is closed. */
    public OwnerBreaker() {}

    /**
     * The owner is asked something.
     *
     * @param nanos the time
     */
    public void asked(long nanos) {
        if (askedSince.get() == NOTHING) {
            askedSince.compareAndSet(NOTHING, nanos | 1);
        }
    }

    /** A call to the owner has ended, well or not. */
    public void answered() {
        if (askedSince.get() != NOTHING) {
            askedSince.set(NOTHING);
        }
    }

    /**
     * How long the owner has owed any answer.
     *
     * @param nanos the time
     * @return nanoseconds; 0 where it owes none
     */
    public long silentNanos(long nanos) {
        long since = askedSince.get();
        return since == NOTHING ? 0 : Math.max(0, nanos - since);
    }

    /**
     * Whether the owner is not worth asking.
     *
     * @param nanos the time
     * @param patience how long an answer is of use
     * @return true if it has been silent for longer
     */
    public boolean isOpen(long nanos, Duration patience) {
        return silentNanos(nanos) > patience.toNanos();
    }

    /**
     * Whether the caller is the one to ask now if the owner is back. An owner that comes back answers what it was asked
     * meanwhile, so the longer it has been silent, the seldomer it is asked: with a pause of half of that time, of a
     * second at most, but never shorter than an answer is of use.
     *
     * @param nanos the time
     * @param patience how long an answer is of use
     * @return true for one caller after each pause
     */
    public boolean mayProbe(long nanos, Duration patience) {
        long last = probed.get();
        long pause = Math.max(patience.toNanos(), Math.min(silentNanos(nanos) / 2, LONGEST_PAUSE_NANOS));
        return (last == NOTHING || nanos - last >= pause) && probed.compareAndSet(last, nanos | 1);
    }
}
