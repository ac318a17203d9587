package io.ratelimit.core.entry;

import com.google.common.math.LongMath;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.bucket.BucketRefunds;
import io.ratelimit.core.bucket.CompiledSpec;
import java.util.concurrent.TimeUnit;

/**
 * One bucket of a client: what it counts by, its states, and what was given back to it lately. It is kept for a while after
 * it has become full, so that what was leased from it is used up or over when it is forgotten. Immutable.
 */
final class BucketSlot {

    static final long KEPT_FULL_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final NamedSpec bucket;
    private final long[][] states;
    private final BucketRefunds refunds;
    private final long keptUntilNanos;

    private BucketSlot(NamedSpec bucket, long[][] states, BucketRefunds refunds, long keptUntilNanos) {
        this.bucket = bucket;
        this.states = states;
        this.refunds = refunds;
        this.keptUntilNanos = keptUntilNanos;
    }

    /** Keeps the arrays, which must not be written to any more. */
    private static BucketSlot of(NamedSpec bucket, long[][] states, BucketRefunds refunds, Moment now) {
        long kept = LongMath.saturatedAdd(bucket.spec().fullNanos(states, now), KEPT_FULL_NANOS);
        return new BucketSlot(bucket, states, refunds, LongMath.saturatedAdd(now.nanos(), kept));
    }

    /** The bucket of a client of whom nothing is known. */
    static BucketSlot full(NamedSpec bucket, Moment now) {
        return new BucketSlot(bucket, bucket.spec().full(now), BucketRefunds.NONE, now.nanos());
    }

    /** A bucket whose states were written on another clock. */
    static BucketSlot arrived(NamedSpec bucket, long[][] departed, long[][] refunds, Moment now) {
        CompiledSpec spec = bucket.spec();
        return of(bucket, spec.arrive(departed, now), BucketRefunds.arrive(spec, refunds, now), now);
    }

    NamedSpec bucket() {
        return bucket;
    }

    String name() {
        return bucket.name();
    }

    CompiledSpec spec() {
        return bucket.spec();
    }

    /** Not to be written to. */
    long[][] states() {
        return states;
    }

    /** What was given back lately. */
    BucketRefunds refunds() {
        return refunds;
    }

    /** The states as they keep their meaning on another clock. */
    long[][] departing(Moment now) {
        return spec().depart(states, now);
    }

    BucketSlot with(long[][] newStates, Moment now) {
        return of(bucket, newStates, refunds, now);
    }

    /** This bucket as it is to be read some time after it was written. */
    BucketSlot refreshed(Moment written, Moment now) {
        return new BucketSlot(bucket, spec().refresh(states, written, now), refunds, keptUntilNanos);
    }

    /** This bucket under other limits, if those are newer. */
    BucketSlot under(NamedSpec asked, Moment now) {
        return asked.spec().replaces(spec())
                ? of(asked, asked.spec().carryOver(spec(), states, now), refunds, now)
                : this;
    }

    /** This bucket after a charge was given back. */
    BucketSlot refunded(RefundStep.Item item, CompiledSpec charged, Moment then, Moment now) {
        long[][] made = charged.arriveReceipt(item.charge().receipt(), then, now);
        long[] totals = item.charge().refundedBefore();
        long[][] words = refunds.words(charged, made, then, totals, now);
        long[][] after = item.undone()
                ? spec().undo(states, now, item.tokens(), item.tokens(), charged, words)
                : spec().refund(states, now, item.tokens(), charged, words);
        if (refunds.usefulNanos(now) == 0 && spec().isFull(after, now)) {
            // Charges come back in line: none is left behind the one that was given back, and those before it need not
            // know.
            return of(bucket, after, BucketRefunds.NONE, now);
        }
        return of(bucket, after, refunds.plus(charged, made, totals, spec(), states, after, now), now);
    }

    boolean isFull(Moment now) {
        return spec().isFull(states, now);
    }

    /** How much longer this is to be kept: a while after the bucket is full, and what was given back of no more use. */
    long keptNanos(Moment now) {
        return Math.max(LongMath.saturatedSubtract(keptUntilNanos, now.nanos()), refunds.usefulNanos(now));
    }
}
