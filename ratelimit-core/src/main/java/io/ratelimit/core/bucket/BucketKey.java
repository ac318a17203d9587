package io.ratelimit.core.bucket;

import java.util.Comparator;

/**
 * A client's bucket in the local table: the bucket's name and a keyed fingerprint of the client. The order is the one
 * in which buckets of one request are locked, the same for all threads.
 */
record BucketKey(String name, long fingerprint) implements Comparable<BucketKey> {

    /**
     * What of a keyed hash of a client can be a fingerprint: the lowest bit is left to the lock of a slot, and 0 to free
     * slots.
     */
    static long fingerprint(long hash) {
        long fingerprint = hash & ~1L;
        return fingerprint == 0 ? 2 : fingerprint;
    }

    private static final Comparator<BucketKey> LOCK_ORDER =
            Comparator.comparing(BucketKey::name).thenComparingLong(BucketKey::fingerprint);

    @Override
    public int compareTo(BucketKey other) {
        return LOCK_ORDER.compare(this, other);
    }
}
