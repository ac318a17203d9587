package io.ratelimit.core.reconcile;

import io.ratelimit.store.Receipt;
import org.jspecify.annotations.Nullable;

/**
 * What a client has spent under one rule on this host, as far as the shared store hears of it at once. Each charge's
 * receipt leads to it, so that what comes back is given back where it is. Thread-safe.
 */
final class Telling {

    private enum Stage {
        /** Not told yet: what comes back was never spent. */
        OPEN,
        /** Being told: what comes back waits for the answer. */
        UNDER_WAY,
        /** Told. */
        TOLD,
        /** Not told, or nobody knows: there is nothing to give back. */
        LOST
    }

    private final ToldBucket of;
    private final long begunNanos;
    private Stage stage = Stage.OPEN;
    private long tokens;
    private long comingBack;
    private @Nullable Receipt receipt;

    /**
     * Begins with nothing.
     *
     * @param of which client's buckets
     * @param nanos the time
     */
    Telling(ToldBucket of, long nanos) {
        this.of = of;
        this.begunNanos = nanos;
    }

    ToldBucket of() {
        return of;
    }

    /**
     * What is to be given back to the shared store.
     *
     * @param receipt its receipt
     * @param tokens how many, at least 1
     */
    record Refund(Receipt receipt, long tokens) {}

    /** When the first of it was spent. */
    long begunNanos() {
        return begunNanos;
    }

    synchronized void spend(long more) {
        tokens += more;
    }

    synchronized long tokens() {
        return tokens;
    }

    /** It is told now. */
    synchronized void send() {
        stage = Stage.UNDER_WAY;
    }

    /** It was told; whether something has come back meanwhile that can be {@linkplain #refund given back} now. */
    synchronized boolean told(Receipt made) {
        stage = Stage.TOLD;
        receipt = made;
        return comingBack > 0;
    }

    /** It was not told, or nobody knows. */
    synchronized void lose() {
        stage = Stage.LOST;
        of.cameBack(comingBack);
        comingBack = 0;
    }

    /** Takes tokens back; whether they are the first that can be {@linkplain #refund given back} now. */
    synchronized boolean giveBack(long back) {
        switch (stage) {
            case OPEN -> tokens -= back;
            case UNDER_WAY -> {
                comingBack += back;
                of.comesBack(back);
            }
            case TOLD -> {
                comingBack += back;
                of.comesBack(back);
                return back > 0 && comingBack == back;
            }
            case LOST -> {}
        }
        return false;
    }

    /** What has come back since it was told, once; null for nothing. */
    synchronized @Nullable Refund refund() {
        Receipt made = receipt;
        if (made == null || comingBack == 0) {
            return null;
        }
        Refund refund = new Refund(made, comingBack);
        comingBack = 0;
        return refund;
    }
}
