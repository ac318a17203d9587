package io.ratelimit.core.bucket;

import java.util.Comparator;

/**
 * A client's bucket in the local table: the bucket's name and a keyed fingerprint of the client. The order is the one
 * in which buckets of one request are locked, the same for all threads.
 */
record BucketKey(String name, long fingerprint) implements Comparable<BucketKey> {

    /**
     * The key of a client.
     *
     * @param name the bucket's name
     * @param hash a keyed hash of the client; its lowest bit is left to the lock of a slot, and 0 to free slots
     */
    static BucketKey of(String name, long hash) {
        long fingerprint = hash & ~1L;
        return new BucketKey(name, fingerprint == 0 ? 2 : fingerprint);
    }

    private static final Comparator<BucketKey> LOCK_ORDER =
            Comparator.comparing(BucketKey::name).thenComparingLong(BucketKey::fingerprint);

    @Override
    public int compareTo(BucketKey other) {
        return LOCK_ORDER.compare(this, other);
    }
}
