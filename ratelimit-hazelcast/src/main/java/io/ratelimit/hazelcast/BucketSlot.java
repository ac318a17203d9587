package io.ratelimit.hazelcast;

import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.bucket.CompiledSpec;

/** One bucket of a client: what it counts by and its states. Immutable. */
final class BucketSlot {

    private final NamedSpec bucket;
    private final long[][] states;

    /** Keeps the arrays, which must not be written to any more. */
    BucketSlot(NamedSpec bucket, long[][] states) {
        this.bucket = bucket;
        this.states = states;
    }

    static BucketSlot full(NamedSpec bucket, Moment now) {
        return new BucketSlot(bucket, bucket.spec().full(now));
    }

    /** A bucket whose states were written on another clock. */
    static BucketSlot arrived(NamedSpec bucket, long[][] departed, Moment now) {
        return new BucketSlot(bucket, bucket.spec().arrive(departed, now));
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

    /** The states as they keep their meaning on another clock. */
    long[][] departing(Moment now) {
        return spec().depart(states, now);
    }

    BucketSlot with(long[][] newStates) {
        return new BucketSlot(bucket, newStates);
    }

    /** This bucket as it is to be read some time after it was written. */
    BucketSlot refreshed(Moment written, Moment now) {
        return with(spec().refresh(states, written, now));
    }

    /** This bucket under other limits, if those are newer. */
    BucketSlot under(NamedSpec asked, Moment now) {
        return asked.spec().replaces(spec())
                ? new BucketSlot(asked, asked.spec().carryOver(spec(), states, now))
                : this;
    }

    boolean isFull(Moment now) {
        return spec().isFull(states, now);
    }

    long fullNanos(Moment now) {
        return spec().fullNanos(states, now);
    }
}
