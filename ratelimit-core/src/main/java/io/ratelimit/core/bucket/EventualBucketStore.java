package io.ratelimit.core.bucket;

import io.ratelimit.store.BucketStore;

/**
 * Decides by this host's buckets, and has them agree with those of other hosts from time to time. Thread-safe, but for
 * {@link #flush}, which one thread calls.
 */
public interface EventualBucketStore extends BucketStore {

    /** Tells other hosts what is new. To be called as often as they are to hear of it, by one thread. */
    void flush();

    /** Forgets what is of no more use. To be called about every half a minute. */
    void sweep();
}
