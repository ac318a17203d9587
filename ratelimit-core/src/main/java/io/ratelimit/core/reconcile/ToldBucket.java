package io.ratelimit.core.reconcile;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.LimitState;
import io.ratelimit.core.bucket.SharedBucket;
import io.ratelimit.store.BucketSpec;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A client's buckets under one rule, as the shared store is told of them. It is told of one thing at a time: what is spent
 * meanwhile is told next. Thread-safe.
 */
final class ToldBucket {

    private final ClientIdentifier client;
    private final Lateness lateness = new Lateness();
    private BucketSpec bucket;
    private @Nullable Telling open;
    private boolean inLine;
    private long touchedNanos;

    /** Tokens that the shared bucket counts as spent, and that are on their way back to it. */
    private final AtomicLong comingBack = new AtomicLong();

    /**
     * Begins with nothing to tell.
     *
     * @param client whose buckets
     * @param bucket which buckets
     * @param nanos the time
     */
    ToldBucket(ClientIdentifier client, BucketSpec bucket, long nanos) {
        this.client = client;
        this.bucket = bucket;
        this.touchedNanos = nanos;
    }

    ClientIdentifier client() {
        return client;
    }

    /** Under the rules of the last charge. */
    synchronized BucketSpec bucket() {
        return bucket;
    }

    /** Takes note of tokens that were spent; what they are told with. */
    synchronized Telling spend(BucketSpec under, long tokens, long nanos) {
        bucket = under;
        touchedNanos = nanos;
        Telling telling = open;
        if (telling == null) {
            telling = new Telling(this, nanos);
            open = telling;
        }
        telling.spend(tokens);
        return telling;
    }

    /** Whether this is to be put in line now; not if it is there, or is being told of. */
    synchronized boolean getsInLine() {
        boolean first = !inLine;
        inLine = true;
        return first;
    }

    /** What is to be told now; null for nothing. */
    synchronized @Nullable Telling next() {
        Telling telling = open;
        open = null;
        if (telling == null) {
            return null;
        }
        telling.send();
        return telling;
    }

    /** It was told, or was not; whether there is more, and this is in line again. */
    synchronized boolean goesOn() {
        inLine = open != null;
        return inLine;
    }

    /** Tokens that were told are to be given back. */
    void comesBack(long tokens) {
        comingBack.addAndGet(tokens);
    }

    /** They have been, or cannot be. */
    void cameBack(long tokens) {
        comingBack.addAndGet(-tokens);
    }

    /**
     * The answer of the shared bucket to what it was told, as this host is to understand it; null where it tells nothing,
     * since more is on its way back than was spent since.
     */
    synchronized @Nullable SharedBucket heard(
            BucketSpec asked, List<LimitState> seen, long told, long spentNanos, long sentNanos, long nanos) {
        List<SharedBucket.Seen> heard = lateness.heard(asked.limits(), seen, told, spentNanos, sentNanos, nanos);
        long untold = (open == null ? 0 : open.tokens()) - comingBack.get();
        return untold < 0 ? null : new SharedBucket(heard, untold);
    }

    /** Whether nobody has spent anything for a while and nothing is to be told. */
    synchronized boolean isIdle(long nanos, long forNanos) {
        return !inLine && nanos - touchedNanos >= forNanos;
    }
}
