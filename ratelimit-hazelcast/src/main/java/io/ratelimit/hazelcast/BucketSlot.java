package io.ratelimit.hazelcast;

import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.bucket.BucketRefunds;
import io.ratelimit.core.bucket.CompiledSpec;

/** One bucket of a client: what it counts by, its states, and what was given back to it lately. Immutable. */
final class BucketSlot {

    private final NamedSpec bucket;
    private final long[][] states;
    private final BucketRefunds refunds;

    /** Keeps the arrays, which must not be written to any more. */
    BucketSlot(NamedSpec bucket, long[][] states, BucketRefunds refunds) {
        this.bucket = bucket;
        this.states = states;
        this.refunds = refunds;
    }

    static BucketSlot full(NamedSpec bucket, Moment now) {
        return new BucketSlot(bucket, bucket.spec().full(now), BucketRefunds.NONE);
    }

    /** A bucket whose states were written on another clock. */
    static BucketSlot arrived(NamedSpec bucket, long[][] departed, long[][] refunds, Moment now) {
        CompiledSpec spec = bucket.spec();
        return new BucketSlot(bucket, spec.arrive(departed, now), BucketRefunds.arrive(spec, refunds, now));
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

    BucketSlot with(long[][] newStates) {
        return new BucketSlot(bucket, newStates, refunds);
    }

    /** This bucket as it is to be read some time after it was written. */
    BucketSlot refreshed(Moment written, Moment now) {
        return with(spec().refresh(states, written, now));
    }

    /** This bucket under other limits, if those are newer. */
    BucketSlot under(NamedSpec asked, Moment now) {
        return asked.spec().replaces(spec())
                ? new BucketSlot(asked, asked.spec().carryOver(spec(), states, now), refunds)
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
            return new BucketSlot(bucket, after, BucketRefunds.NONE);
        }
        return new BucketSlot(bucket, after, refunds.plus(charged, made, totals, spec(), states, after, now));
    }

    boolean isFull(Moment now) {
        return spec().isFull(states, now);
    }

    /** How much longer this is to be kept: until the bucket is full, and what was given back of no more use. */
    long keptNanos(Moment now) {
        return Math.max(spec().fullNanos(states, now), refunds.usefulNanos(now));
    }
}
