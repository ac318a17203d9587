package io.ratelimit.core.bucket;

import com.google.common.math.LongMath;
import io.ratelimit.core.algorithm.GivenBack;
import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.rules.Limit;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * What was given back to buckets lately, so that nothing is given back that has come back by itself ({@link GivenBack}).
 * What is known of a bucket is of use until everything that was charged before its last refund has come back; it is kept
 * that long, and longer than the bucket where that is full before. Thread-safe; of one bucket, refunds are to be told under
 * its lock.
 */
final class RecentRefunds {

    private static final long[] NOTHING = {};

    /** So that a flood takes no memory. Beyond it, what came back by itself may be given back once more. */
    private static final int MOST_BUCKETS = 100_000;

    private static final class Refunds {

        private final List<Limit> limits;
        private final GivenBack[] known;
        private final long untilNanos;

        Refunds(List<Limit> limits, GivenBack[] known, long untilNanos) {
            this.limits = limits;
            this.known = known;
            this.untilNanos = untilNanos;
        }

        GivenBack under(Limit limit) {
            int same = limits.indexOf(limit);
            return same < 0 ? GivenBack.NOTHING : known[same];
        }
    }

    private final ConcurrentMap<BucketKey, Refunds> byBucket = new ConcurrentHashMap<>();

    /** What a receipt that is made now must remember: how much was given back in all, under each limit of a spec. */
    long[] totals(BucketKey key, CompiledSpec spec) {
        Refunds refunds = byBucket.isEmpty() ? null : byBucket.get(key);
        return refunds == null
                ? NOTHING
                : spec.limits().stream()
                        .mapToLong(limit -> refunds.under(limit).total())
                        .toArray();
    }

    /** A receipt's words by which to give back now. */
    long[][] words(LocalReceipt made) {
        Refunds refunds = byBucket.get(made.key());
        if (refunds == null) {
            return made.words();
        }
        CompiledSpec spec = made.spec();
        long[][] words = made.words().clone();
        for (int i = 0; i < words.length; i++) {
            GivenBack known = refunds.under(spec.limits().get(i));
            words[i] = spec.algorithm(i).moved(words[i], made.refundedBefore(i), known);
        }
        return words;
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
        Refunds earlier = byBucket.get(made.key());
        GivenBack[] known = new GivenBack[before.length];
        long until = earlier == null ? 0 : earlier.untilNanos;
        boolean isNews = false;
        for (int i = 0; i < known.length; i++) {
            Limit limit = spec.limits().get(i);
            LimitAlgorithm algorithm = spec.algorithm(i);
            GivenBack old = earlier == null ? GivenBack.NOTHING : earlier.under(limit);
            int charged = made.spec().limits().indexOf(limit);
            known[i] = charged < 0
                    ? old
                    : algorithm.noted(
                            old, made.words()[charged], made.refundedBefore(charged), before[i], after[i], now);
            if (known[i].total() != old.total()) {
                isNews = true;
                until = Math.max(until, LongMath.saturatedAdd(now.nanos(), algorithm.fullNanos(before[i], now)));
            }
        }
        if (isNews && (earlier != null || byBucket.size() < MOST_BUCKETS)) {
            byBucket.put(made.key(), new Refunds(spec.limits(), known, until));
        }
    }

    /** Forgets what is of no more use. */
    void sweep(Moment now) {
        byBucket.values().removeIf(refunds -> refunds.untilNanos <= now.nanos());
    }
}
