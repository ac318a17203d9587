package io.ratelimit.core.bucket;

import io.ratelimit.core.algorithm.Moment;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * What was given back to buckets lately. What is known of a bucket is of use as long as the bucket is, and until
 * everything that was charged before its last refund has come back. Thread-safe; of one bucket, refunds are to be told
 * under its lock.
 */
final class RecentRefunds {

    /** So that a flood takes no memory. Beyond it, what came back by itself may be given back once more. */
    private static final int MOST_BUCKETS = 100_000;

    private final ConcurrentMap<BucketKey, BucketRefunds> byBucket = new ConcurrentHashMap<>();

    /** Whether nothing was given back lately, to anybody. */
    boolean areNone() {
        return byBucket.isEmpty();
    }

    /** What a receipt that is made now must remember: how much was given back in all, under each limit of a spec. */
    long[] totals(BucketKey key, CompiledSpec spec) {
        return byBucket.getOrDefault(key, BucketRefunds.NONE).totals(spec);
    }

    /** A receipt's words by which to give back now. */
    long[][] words(LocalReceipt made, Moment now) {
        return byBucket.getOrDefault(made.key(), BucketRefunds.NONE)
                .words(made.spec(), made.words(), made.charged(), made.refundedBefore(), now);
    }

    /**
     * Takes note of a refund.
     *
     * @param made the receipt of the charge that was given back
     * @param spec the limits in force
     * @param before the states that the refund found
     * @param after the states that it left
     * @param now the time
     */
    void add(LocalReceipt made, CompiledSpec spec, long[][] before, long[][] after, Moment now) {
        BucketRefunds earlier = byBucket.getOrDefault(made.key(), BucketRefunds.NONE);
        BucketRefunds known = earlier.plus(made.spec(), made.words(), made.refundedBefore(), spec, before, after, now);
        if (known != earlier && (byBucket.size() < MOST_BUCKETS || byBucket.containsKey(made.key()))) {
            byBucket.put(made.key(), known);
        }
    }

    /**
     * Forgets what is of no more use.
     *
     * @param buckets the table, swept before
     */
    void sweep(TokenBucketCache buckets, Moment now) {
        byBucket.entrySet().removeIf(entry -> entry.getValue().usefulNanos(now) == 0 && !buckets.has(entry.getKey()));
    }
}
