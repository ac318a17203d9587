package io.ratelimit.core.bucket;

import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.store.StoreException;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The local table of buckets, bounded and expiring. A full bucket is the same as none, so full ones make room; a client
 * that has spent something is never forgotten. Thread-safe.
 *
 * <p>At its capacity the table takes a newcomer only if a bucket nearby is full. A small overrun is allowed while the
 * search goes round, so that newcomers are turned away only when about every place is held by a client that has spent
 * something.
 */
final class TokenBucketCache {

    private static final int LOOKED_AT_PER_NEWCOMER = 64;
    private static final int OVERRUN_PART = 16;

    private final ConcurrentHashMap<BucketKey, Bucket> buckets = new ConcurrentHashMap<>();
    private final int capacity;
    private final ReentrantLock sweeping = new ReentrantLock();
    private Iterator<Map.Entry<BucketKey, Bucket>> cursor = buckets.entrySet().iterator();

    /**
     * Makes an empty table.
     *
     * @param capacity the most buckets, at least 1
     */
    TokenBucketCache(int capacity) {
        this.capacity = capacity;
    }

    /**
     * Finds a client's bucket, makes a full one for a newcomer, and continues one of an older rule set under the new
     * limits.
     *
     * @throws StoreException if the table is full
     */
    Bucket get(BucketKey key, CompiledSpec spec, Moment now) {
        while (true) {
            Bucket bucket = buckets.get(key);
            if (bucket == null) {
                makeRoom(now);
                Bucket fresh = new Bucket(spec, spec.full(now));
                bucket = buckets.putIfAbsent(key, fresh);
                if (bucket == null) {
                    return fresh;
                }
            }
            if (!spec.replaces(bucket.spec())) {
                return bucket;
            }
            Bucket continued = continueUnder(spec, key, bucket, now);
            if (continued != null) {
                return continued;
            }
        }
    }

    /** Finds a client's bucket, if there is one that is under these limits or newer ones. */
    @Nullable
    Bucket find(BucketKey key, CompiledSpec spec) {
        Bucket bucket = buckets.get(key);
        return bucket == null || spec.replaces(bucket.spec()) ? null : bucket;
    }

    /** Finds a client's bucket without making one. */
    @Nullable
    Bucket peek(BucketKey key) {
        return buckets.get(key);
    }

    long size() {
        return buckets.mappingCount();
    }

    /** Forgets all full buckets. */
    void sweep(Moment now) {
        for (Map.Entry<BucketKey, Bucket> entry : buckets.entrySet()) {
            forgetIfFull(entry.getKey(), entry.getValue(), now);
        }
    }

    private @Nullable Bucket continueUnder(CompiledSpec spec, BucketKey key, Bucket old, Moment now) {
        if (!old.lock()) {
            return null;
        }
        boolean locked = true;
        try {
            Bucket continued = new Bucket(spec, spec.carryOver(old.spec(), old.states(), now));
            buckets.put(key, continued);
            old.retire();
            locked = false;
            return continued;
        } finally {
            if (locked) {
                old.unlock();
            }
        }
    }

    private void makeRoom(Moment now) {
        if (buckets.mappingCount() < capacity) {
            return;
        }
        // While another thread searches, a flood of newcomers does not queue up behind it.
        if (sweeping.tryLock()) {
            try {
                if (forgetOne(now)) {
                    return;
                }
            } finally {
                sweeping.unlock();
            }
        }
        if (buckets.mappingCount() >= (long) capacity + capacity / OVERRUN_PART) {
            throw new StoreException(
                    "table-full",
                    "all " + capacity
                            + " places of the key table are held by clients that have spent something; raise maxClients");
        }
    }

    /** Goes on from where the last search ended. */
    private boolean forgetOne(Moment now) {
        for (int i = 0; i < LOOKED_AT_PER_NEWCOMER; i++) {
            if (!cursor.hasNext()) {
                cursor = buckets.entrySet().iterator();
                if (!cursor.hasNext()) {
                    return true;
                }
            }
            Map.Entry<BucketKey, Bucket> entry = cursor.next();
            if (forgetIfFull(entry.getKey(), entry.getValue(), now)) {
                return true;
            }
        }
        return false;
    }

    private boolean forgetIfFull(BucketKey key, Bucket bucket, Moment now) {
        if (!bucket.lock()) {
            return false;
        }
        boolean locked = true;
        try {
            CompiledSpec spec = bucket.spec();
            long[][] states = bucket.states();
            boolean full = spec.isFull(states, now);
            if (full) {
                buckets.remove(key, bucket);
                bucket.retire();
            } else {
                // One limit may be full for weeks while another keeps the bucket: its state must not fall too far
                // behind.
                bucket.unlock(spec.refresh(states, now, now));
            }
            locked = false;
            return full;
        } finally {
            if (locked) {
                bucket.unlock();
            }
        }
    }
}
