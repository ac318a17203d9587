package io.ratelimit.core.broadcast;

import io.ratelimit.store.BucketSpec;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * What one client has spent under one rule on this host, since an epoch began, and what of it has come back: sums that only
 * grow, so that whoever misses a message learns the same from the next one. What comes back before the others were told of it
 * was never spent.
 *
 * <p>The others are told nothing while what they do not know stays within this host's {@link SilentShare}. That is measured
 * by a leaky bucket; once the bucket exceeds the share, they are told all of it, and once it has leaked out, nothing ever.
 * Thread-safe.
 */
final class Consumption {

    private static final long NEVER_TOLD = 0;

    private final UUID key;
    private final LongSupplier epochs;
    private volatile BucketSpec bucket;
    private SilentShare share;
    private long epoch = NEVER_TOLD;
    private long begunNanos;
    private long net;
    private Tally told = Tally.NOTHING;
    /** What of {@code net - told} has not leaked; below zero, what was told and has come back. */
    private double level;

    private long toldNanos;
    private long newsNanos;
    private long untoldNanos;
    private long touchedNanos;
    private long givenBackNanos;
    private boolean hasGivenBack;
    private boolean untold;

    /**
     * Begins.
     *
     * @param bucket which bucket
     * @param share what may be left untold of it
     * @param key whose
     * @param epochs numbers epochs, each later than any before
     * @param nanos the time
     */
    Consumption(BucketSpec bucket, SilentShare share, UUID key, LongSupplier epochs, long nanos) {
        this.bucket = bucket;
        this.share = share;
        this.key = key;
        this.epochs = epochs;
        this.begunNanos = nanos;
        this.toldNanos = nanos;
        this.touchedNanos = nanos;
    }

    BucketSpec bucket() {
        return bucket;
    }

    UUID key() {
        return key;
    }

    /** The limits that are in force by the last that was spent. */
    synchronized void follow(BucketSpec now, SilentShare nowShare) {
        bucket = now;
        share = nowShare;
    }

    /** How long ago the epoch began, in nanoseconds: none, where that was only after whoever tells has looked at the clock. */
    synchronized long age(long nanos) {
        return Math.max(0, nanos - begunNanos);
    }

    /**
     * Adds tokens that were spent.
     *
     * @param hosts how many hosts there are
     * @return whether the others have to be told, who knew enough before
     */
    synchronized boolean spend(long tokens, int hosts, long nanos) {
        touch(hosts, nanos);
        net += tokens;
        level += tokens;
        return level > share.tokens(hosts) && speak(hosts, nanos, nanos);
    }

    private void touch(int hosts, long nanos) {
        long elapsed = nanos - touchedNanos;
        if (elapsed > 0) {
            leak(elapsed, hosts);
            touchedNanos = nanos;
        }
    }

    private void leak(long elapsedNanos, int hosts) {
        if (level > 0 && !untold) {
            level -= share.leaked(elapsedNanos, hosts);
            if (level <= 0) {
                level = 0;
                net = told.net();
            }
        }
    }

    /** Whether that is new: what is untold is to be told. */
    private boolean speak(int hosts, long sinceNanos, long nanos) {
        if (untold) {
            return false;
        }
        untold = true;
        untoldNanos = sinceNanos;
        // Of what has leaked no more than a share: as it was spent slowly, the bucket has long refilled elsewhere.
        net -= (long) Math.max(0, net - told.net() - level - share.tokens(hosts));
        if (epoch == NEVER_TOLD || nanos - toldNanos >= ConsumptionLedger.IDLE_NANOS) {
            // Others may have forgotten the sum, or have come later: this is a sum for all of them.
            epoch = epochs.getAsLong();
            begunNanos = sinceNanos;
            net -= told.net();
            told = Tally.NOTHING;
        }
        return true;
    }

    /**
     * Takes tokens back that were spent.
     *
     * @param hosts how many hosts there are
     * @return whether the others have to be told, who knew enough before
     */
    synchronized boolean giveBack(long tokens, int hosts, long nanos) {
        touch(hosts, nanos);
        givenBackNanos = nanos;
        hasGivenBack = true;
        net -= tokens;
        level -= tokens;
        if (level <= 0) {
            net = Math.min(net, told.net());
            level = net - told.net();
        }
        return -level > share.tokens(hosts) && speak(hosts, nanos, nanos);
    }

    /** Whether tokens have come back here lately, of which others may not have heard yet. */
    synchronized boolean hasGivenBackWithin(long forNanos, long nanos) {
        return hasGivenBack && nanos - givenBackNanos < forNanos;
    }

    /** What is to be told now. */
    synchronized Told tell(long nanos) {
        long age = untold ? Math.max(0, nanos - untoldNanos) : 0;
        if (untold) {
            untold = false;
            newsNanos = nanos;
            told = told.withNet(net);
            level = 0;
        }
        toldNanos = nanos;
        return new Told(epoch, age(nanos), told, age);
    }

    /** Whether something new was told, or is to be told, after a time. */
    synchronized boolean hasNewsSince(long thenNanos) {
        return untold || newsNanos - thenNanos > 0;
    }

    /**
     * Ends the silence, and tells all.
     *
     * @param hosts how many hosts there are
     */
    synchronized Told tellAll(int hosts, long nanos) {
        leak(Math.max(0, nanos - touchedNanos), hosts);
        if (level != 0) {
            speak(hosts, touchedNanos, nanos);
        }
        return tell(nanos);
    }

    /** Whether nobody has spent anything for a while, so that the next one may begin another epoch. */
    synchronized boolean isIdle(long nanos, long forNanos) {
        return !untold && nanos - touchedNanos >= forNanos;
    }

    /**
     * Ends the silence about what is left of it, of a client who is {@linkplain #isIdle idle}.
     *
     * @param hosts how many hosts there are
     * @return whether the others have to be told; if not, nothing is left
     */
    synchronized boolean speakOfTheRest(int hosts, long nanos) {
        leak(nanos - touchedNanos, hosts);
        return (level > 0 || level <= -1) && speak(hosts, touchedNanos, nanos);
    }

    /**
     * A sum as it is told.
     *
     * @param epoch the later, the larger
     * @param epochNanos how long ago the epoch began
     * @param tally what was spent in this epoch, and has come back
     * @param ageNanos how long ago the first of them was spent that had to be told and was not
     */
    record Told(long epoch, long epochNanos, Tally tally, long ageNanos) {}
}
