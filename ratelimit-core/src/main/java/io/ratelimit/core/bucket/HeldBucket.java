package io.ratelimit.core.bucket;

/** A client's bucket while its slot is locked, which must be for an instant only. Used by one thread. */
final class HeldBucket {

    private final BucketSegment segment;
    private final int at;

    HeldBucket(BucketSegment segment, int at) {
        this.segment = segment;
        this.at = at;
    }

    CompiledSpec spec() {
        return segment.spec();
    }

    /** The states; not to be written to. */
    long[][] states() {
        return segment.states(at);
    }

    /** Leaves the states as they are. */
    void unlock() {
        segment.unlock(at);
    }

    /** Takes new states, then unlocks. */
    void unlock(long[][] states) {
        segment.unlock(at, states);
    }
}
