package io.ratelimit.core.bucket;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The buckets of one rule's clients, in small segments that are found by the leading bits of a fingerprint and replaced
 * one at a time: a table that grows without a pause for all (extendible hashing; Fagin, Nievergelt, Pippenger
 * and Strong, 1979). A rule with few clients takes some hundred bytes. Thread-safe.
 */
final class BucketTable {

    /**
     * Which segment has which leading bits.
     *
     * @param depth how many bits are looked at
     * @param segments by these bits; a segment of fewer bits stands at several places
     */
    private record Directory(int depth, AtomicReferenceArray<BucketSegment> segments) {

        int indexOf(long fingerprint) {
            return (int) (fingerprint >>> 32 >>> (32 - depth));
        }

        Directory doubled() {
            AtomicReferenceArray<BucketSegment> twice = new AtomicReferenceArray<>(segments.length() * 2);
            for (int i = 0; i < twice.length(); i++) {
                twice.setPlain(i, segments.getPlain(i / 2));
            }
            return new Directory(depth + 1, twice);
        }
    }

    private volatile Directory directory;

    BucketTable(CompiledSpec spec) {
        AtomicReferenceArray<BucketSegment> one = new AtomicReferenceArray<>(1);
        one.set(0, BucketSegment.first(spec));
        this.directory = new Directory(0, one);
    }

    /** The segment that has a client's bucket, if there is one. */
    BucketSegment segment(long fingerprint) {
        Directory current = directory;
        return current.segments.getAcquire(current.indexOf(fingerprint));
    }

    /**
     * Puts segments in another one's place; under the monitor of that one.
     *
     * @param old the segment that is replaced
     * @param replaced what {@link BucketSegment#replaced} made of it
     */
    synchronized void put(BucketSegment old, List<BucketSegment> replaced) {
        BucketSegment low = replaced.get(0);
        BucketSegment high = replaced.get(replaced.size() - 1);
        Directory wide = low.depth() > directory.depth() ? directory.doubled() : directory;
        int from = wide.indexOf(old.prefix());
        int places = 1 << (wide.depth() - old.depth());
        for (int i = 0; i < places; i++) {
            wide.segments.setRelease(from + i, i < places / 2 ? low : high);
        }
        directory = wide;
    }

    /** All segments, each once, as they are now. */
    List<BucketSegment> segments() {
        Directory current = directory;
        List<BucketSegment> all = new ArrayList<>();
        BucketSegment last = null;
        for (int i = 0; i < current.segments.length(); i++) {
            BucketSegment segment = current.segments.getAcquire(i);
            if (segment != last) {
                all.add(segment);
                last = segment;
            }
        }
        return all;
    }
}
