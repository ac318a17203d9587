package io.ratelimit.core.broadcast;

import io.ratelimit.store.BucketSpec;
import java.util.UUID;

/**
 * What one client has spent under one rule on this host, since an epoch began: a sum that only grows, so that whoever
 * misses a message learns the same from the next one. Tokens that come back are set against those that are spent later.
 * Thread-safe.
 */
final class Consumption {

    private final BucketSpec bucket;
    private final UUID key;
    private final long epoch;
    private final long begunNanos;
    private long net;
    private long told;
    private long untoldNanos;
    private long touchedNanos;
    private boolean untold;

    /**
     * Begins an epoch.
     *
     * @param bucket which bucket
     * @param key whose
     * @param epoch later than any epoch of this client before
     * @param nanos the time
     */
    Consumption(BucketSpec bucket, UUID key, long epoch, long nanos) {
        this.bucket = bucket;
        this.key = key;
        this.epoch = epoch;
        this.begunNanos = nanos;
        this.touchedNanos = nanos;
    }

    BucketSpec bucket() {
        return bucket;
    }

    UUID key() {
        return key;
    }

    long epoch() {
        return epoch;
    }

    /** How long ago the epoch began, in nanoseconds. */
    long age(long nanos) {
        return nanos - begunNanos;
    }

    /** Adds tokens that were spent; whether the others have to be told, who were up to date before. */
    synchronized boolean spend(long tokens, long nanos) {
        net += tokens;
        touchedNanos = nanos;
        if (untold || net <= told) {
            return false;
        }
        untold = true;
        untoldNanos = nanos;
        return true;
    }

    /** Takes tokens back that were spent. */
    synchronized void giveBack(long tokens) {
        net -= tokens;
    }

    /** What is to be told now. */
    synchronized Told tell(long nanos) {
        long age = untold ? Math.max(0, nanos - untoldNanos) : 0;
        untold = false;
        told = Math.max(told, net);
        return new Told(told, age);
    }

    /** Whether nobody has spent anything for a while, so that the next one may begin another epoch. */
    synchronized boolean isIdle(long nanos, long forNanos) {
        return !untold && nanos - touchedNanos >= forNanos;
    }

    /**
     * A sum as it is told.
     *
     * @param spent tokens in this epoch
     * @param ageNanos how long ago the first of them was spent that is told for the first time
     */
    record Told(long spent, long ageNanos) {}
}
