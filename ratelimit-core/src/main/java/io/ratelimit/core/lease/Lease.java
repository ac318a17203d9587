package io.ratelimit.core.lease;

import io.ratelimit.store.Receipt;
import java.util.concurrent.atomic.AtomicLong;

/** Tokens of a client that this host may spend without asking, for a while. Thread-safe. */
final class Lease {

    private static final long OVER = -1;

    private final Receipt receipt;
    private final long granted;
    private final long askedNanos;
    private final long endNanos;
    private final AtomicLong left;

    /**
     * Begins a lease.
     *
     * @param receipt of the charge that took the tokens from the shared bucket
     * @param granted how many, at least 1
     * @param askedNanos when they were asked for, on this host's clock
     * @param endNanos until when they may be spent
     */
    Lease(Receipt receipt, long granted, long askedNanos, long endNanos) {
        this.receipt = receipt;
        this.granted = granted;
        this.askedNanos = askedNanos;
        this.endNanos = endNanos;
        this.left = new AtomicLong(granted);
    }

    Receipt receipt() {
        return receipt;
    }

    boolean take(long tokens, long nanos) {
        if (hasEnded(nanos)) {
            return false;
        }
        long before = left.get();
        while (before >= tokens) {
            long seen = left.compareAndExchange(before, before - tokens);
            if (seen == before) {
                return true;
            }
            before = seen;
        }
        return false;
    }

    /** Takes tokens back that were taken; false if the lease is over, and they must go back to the shared bucket. */
    boolean giveBack(long tokens, long nanos) {
        if (hasEnded(nanos)) {
            return false;
        }
        long before = left.get();
        while (before != OVER) {
            long seen = left.compareAndExchange(before, before + tokens);
            if (seen == before) {
                return true;
            }
            before = seen;
        }
        return false;
    }

    /** Ends the lease: what it has left can no longer be taken, and is the caller's to give back. */
    long end() {
        return Math.max(0, left.getAndSet(OVER));
    }

    boolean holds(long tokens, long nanos) {
        return left.get() >= tokens && !hasEnded(nanos);
    }

    long left() {
        return Math.max(0, left.get());
    }

    boolean hasEnded(long nanos) {
        return nanos - endNanos >= 0;
    }

    boolean isHalfUsed() {
        return left.get() <= granted / 2;
    }

    /** How long ago the tokens were asked for, in nanoseconds. */
    long age(long nanos) {
        return nanos - askedNanos;
    }
}
