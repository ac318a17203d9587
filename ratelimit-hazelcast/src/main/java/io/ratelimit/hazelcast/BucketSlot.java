package io.ratelimit.hazelcast;

import io.ratelimit.core.bucket.CompiledSpec;

/** One bucket of a client: what it counts by and its states. Immutable. */
final class BucketSlot {

    private final NamedSpec bucket;
    private final long[] states;

    /** Keeps the array, which must not be written to any more. */
    BucketSlot(NamedSpec bucket, long[] states) {
        this.bucket = bucket;
        this.states = states;
    }

    static BucketSlot full(NamedSpec bucket, long nanos) {
        return new BucketSlot(bucket, bucket.spec().full(nanos));
    }

    /** A bucket in which so much is missing. */
    static BucketSlot ofUsed(NamedSpec bucket, long[] used, long nanos) {
        long[] states = new long[used.length];
        for (int i = 0; i < used.length; i++) {
            states[i] = bucket.spec().limit(i).stateOfUsed(used[i], nanos);
        }
        return new BucketSlot(bucket, states);
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
    long[] states() {
        return states;
    }

    /** What is missing: the form of the states that keeps its meaning on another clock. */
    long[] used(long nanos) {
        long[] used = new long[states.length];
        for (int i = 0; i < used.length; i++) {
            used[i] = spec().limit(i).used(states[i], nanos);
        }
        return used;
    }

    BucketSlot with(long[] newStates) {
        return new BucketSlot(bucket, newStates);
    }

    /** This bucket as it is to be read some time after it was written. */
    BucketSlot refreshed(long writtenNanos, long nanos) {
        return with(spec().refresh(states, writtenNanos, nanos));
    }

    /** This bucket under other limits, if those are newer. */
    BucketSlot under(NamedSpec asked, long nanos) {
        return asked.spec().replaces(spec())
                ? new BucketSlot(asked, asked.spec().carryOver(spec(), states, nanos))
                : this;
    }

    boolean isFull(long nanos) {
        return spec().isFull(states, nanos);
    }

    long fullNanos(long nanos) {
        return spec().fullNanos(states, nanos);
    }
}
