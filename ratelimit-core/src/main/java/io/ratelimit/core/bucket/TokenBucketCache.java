package io.ratelimit.core.bucket;

import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.store.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The local table of buckets, bounded and expiring. A full bucket is the same as none, so full ones make room; a client
 * that has spent something is never forgotten. Thread-safe.
 *
 * <p>At its capacity the table takes a newcomer only if full buckets are found nearby. A small overrun is allowed while
 * the search goes round, so that newcomers are turned away only when about every place is held by a client that has
 * spent something.
 */
final class TokenBucketCache {

    private static final int SEGMENTS_PER_NEWCOMER = 4;
    private static final int OVERRUN_PART = 16;
    private static final int SPINS_BEFORE_YIELD = 64;

    private final ConcurrentMap<String, BucketTable> tables = new ConcurrentHashMap<>();
    private final AtomicLong size = new AtomicLong();
    private final int capacity;

    /** Made once: in a flood, a stack trace for each newcomer would cost more than all else that is done about him. */
    private final StoreException full;

    private final ReentrantLock sweeping = new ReentrantLock();

    /** Where the search for full buckets goes on; under the lock. */
    private Iterator<Place> search = Collections.emptyIterator();

    private record Place(BucketTable table, BucketSegment segment) {}

    /**
     * Makes an empty table.
     *
     * @param capacity the most buckets, at least 1
     */
    TokenBucketCache(int capacity) {
        this.capacity = capacity;
        this.full = new StoreException(
                "table-full",
                "all " + capacity
                        + " places of the key table are held by clients that have spent something; raise maxClients");
    }

    /** The buckets of a rule; made where there are none yet. */
    BucketTable table(String name, CompiledSpec spec) {
        BucketTable table = tables.get(name);
        return table == null ? tables.computeIfAbsent(name, made -> new BucketTable(spec)) : table;
    }

    /** A spec as it is kept: the one that the rule's clients are counted by, if it is equal, so that to compare is cheap. */
    CompiledSpec kept(String name, CompiledSpec spec) {
        BucketTable table = tables.get(name);
        CompiledSpec inForce = table == null ? spec : table.segment(0).spec();
        return inForce.equals(spec) ? inForce : spec;
    }

    /**
     * Sees to it that a client has a bucket under these limits or newer ones: makes a full one for a newcomer, and
     * continues those of an older rule set.
     *
     * @param hasRoom whether room was made for the newcomer before; then no other's bucket is forgotten for him, which may
     *     be one that was just made for the same request
     * @throws StoreException if the table is full
     */
    void prepare(BucketKey key, CompiledSpec spec, boolean hasRoom, Moment now) {
        BucketTable table = table(key.name(), spec);
        int spins = 0;
        while (!isPrepared(table, key.fingerprint(), spec)) {
            BucketSegment segment = table.segment(key.fingerprint());
            if (!hasRoom && segment.find(key.fingerprint()) == BucketSegment.NONE) {
                makeRoom(now);
            }
            if (!add(table, segment, key.fingerprint(), spec, hasRoom, now)) {
                pause(++spins);
            }
            // Another one by now, if this one was forgotten.
            table = table(key.name(), spec);
        }
    }

    private static boolean isPrepared(BucketTable table, long fingerprint, CompiledSpec spec) {
        BucketSegment segment = table.segment(fingerprint);
        return !spec.replaces(segment.spec()) && segment.find(fingerprint) != BucketSegment.NONE;
    }

    /** One step: to newer limits, to a larger segment, or to a bucket; false where the segment takes none any more. */
    private boolean add(
            BucketTable table,
            BucketSegment segment,
            long fingerprint,
            CompiledSpec spec,
            boolean keepsFull,
            Moment now) {
        synchronized (segment) {
            if (segment.isReplaced()) {
                return false;
            }
            if (spec.replaces(segment.spec())) {
                replace(table, segment, spec, keepsFull, now);
            } else if (segment.find(fingerprint) != BucketSegment.NONE) {
                return true;
            } else if (segment.hasRoom()) {
                segment.take(fingerprint, segment.spec().full(now));
                size.incrementAndGet();
            } else {
                replace(table, segment, segment.spec(), keepsFull, now);
            }
            return true;
        }
    }

    /** Under the segment's monitor. */
    private void replace(BucketTable table, BucketSegment segment, CompiledSpec spec, boolean keepsFull, Moment now) {
        int before = segment.size();
        List<BucketSegment> replaced = segment.replaced(spec, keepsFull, now);
        boolean done = false;
        try {
            table.put(segment, replaced);
            done = true;
        } finally {
            if (!done) {
                segment.reopen();
            }
        }
        size.addAndGet(replaced.stream().mapToInt(BucketSegment::size).sum() - before);
    }

    /** A client's bucket, locked; null if there is none, or if it was forgotten, which only happens to a full one. */
    @Nullable
    HeldBucket hold(BucketKey key) {
        BucketTable table = tables.get(key.name());
        int spins = 0;
        while (table != null) {
            BucketSegment segment = table.segment(key.fingerprint());
            int at = segment.find(key.fingerprint());
            if (at == BucketSegment.NONE) {
                return null;
            }
            HeldBucket bucket = new HeldBucket(segment, at);
            if (segment.tryLock(at)) {
                return bucket;
            }
            pause(++spins);
        }
        return null;
    }

    /** Whether a client has a bucket. */
    boolean has(BucketKey key) {
        BucketTable table = tables.get(key.name());
        return table != null && table.segment(key.fingerprint()).find(key.fingerprint()) != BucketSegment.NONE;
    }

    /** Whether a newcomer has to be made room for. */
    boolean isFull() {
        return size.get() >= capacity;
    }

    /** Full buckets included that nobody has looked at since. */
    long size() {
        return size.get();
    }

    /** How many rules have buckets, or had some until the last sweep. */
    int rules() {
        return tables.size();
    }

    /** Forgets all full buckets. */
    void sweep(Moment now) {
        tables.forEach((name, table) -> {
            table.segments().forEach(segment -> sweep(table, segment, now));
            forgetEmpty(name, table);
        });
    }

    /** There may be as many names as callers like, each for a moment. */
    private void forgetEmpty(String name, BucketTable table) {
        List<BucketSegment> retired = new ArrayList<>();
        for (BucketSegment segment : table.segments()) {
            if (!retire(segment)) {
                retired.forEach(TokenBucketCache::reopen);
                return;
            }
            retired.add(segment);
        }
        // None of them takes a bucket any more, so that none is lost with the table.
        tables.remove(name, table);
    }

    private static boolean retire(BucketSegment segment) {
        synchronized (segment) {
            boolean isUnused = segment.size() == 0 && !segment.isReplaced();
            if (isUnused) {
                segment.retire();
            }
            return isUnused;
        }
    }

    private static void reopen(BucketSegment segment) {
        synchronized (segment) {
            segment.reopen();
        }
    }

    private void sweep(BucketTable table, BucketSegment segment, Moment now) {
        synchronized (segment) {
            if (!segment.isReplaced() && segment.refresh(now)) {
                replace(table, segment, segment.spec(), false, now);
            }
        }
    }

    private void makeRoom(Moment now) {
        if (!isFull()) {
            return;
        }
        // While another thread searches, a flood of newcomers does not queue up behind it.
        if (sweeping.tryLock()) {
            try {
                searchOn(now);
            } finally {
                sweeping.unlock();
            }
        }
        long most = size.get() < capacity ? capacity : (long) capacity + capacity / OVERRUN_PART;
        if (size.get() >= most) {
            throw full;
        }
    }

    /** Goes on from where the last search ended. */
    private void searchOn(Moment now) {
        for (int i = 0; i < SEGMENTS_PER_NEWCOMER && size.get() >= capacity; i++) {
            if (!search.hasNext()) {
                search = tables.values().stream()
                        .flatMap(table -> table.segments().stream().map(segment -> new Place(table, segment)))
                        .iterator();
            }
            if (search.hasNext()) {
                Place place = search.next();
                sweep(place.table(), place.segment(), now);
            }
        }
    }

    /** Yields now and then: where threads outnumber processors, the holder may be waiting for one. */
    @SuppressWarnings("ThreadPriorityCheck")
    static void pause(int spins) {
        if (spins % SPINS_BEFORE_YIELD == 0) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }
}
