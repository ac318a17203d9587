package io.ratelimit.core.bucket;

import com.google.common.math.LongMath;
import io.ratelimit.core.algorithm.GivenBack;
import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.rules.Limit;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * What was given back to buckets lately, so that nothing is given back that has come back by itself ({@link GivenBack}).
 * What is known of a bucket is of use as long as the bucket is, and until everything that was charged before its last
 * refund has come back. Thread-safe; of one bucket, refunds are to be told under its lock.
 */
final class RecentRefunds {

    /** What {@link #totals} answers where nothing was given back. */
    static final long[] NOTHING = {};

    /** So that a flood takes no memory. Beyond it, what came back by itself may be given back once more. */
    private static final int MOST_BUCKETS = 100_000;

    /**
     * What was given back to a bucket.
     *
     * @param byLimit what under each limit, those of rules before included
     * @param untilNanos when everything has come back that was charged before the last refund
     */
    private record Refunds(Map<Limit, GivenBack> byLimit, long untilNanos) {

        private static final Refunds NONE = new Refunds(Map.of(), 0);

        GivenBack under(Limit limit) {
            return byLimit.getOrDefault(limit, GivenBack.NOTHING);
        }
    }

    private final ConcurrentMap<BucketKey, Refunds> byBucket = new ConcurrentHashMap<>();

    /** Whether nothing was given back lately, to anybody. */
    boolean areNone() {
        return byBucket.isEmpty();
    }

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
    long[][] words(LocalReceipt made, Moment now) {
        Refunds refunds = byBucket.getOrDefault(made.key(), Refunds.NONE);
        CompiledSpec spec = made.spec();
        long[][] words = made.words().clone();
        for (int i = 0; i < words.length; i++) {
            GivenBack known = refunds.under(spec.limits().get(i));
            words[i] = spec.algorithm(i).moved(words[i], made.charged(), made.refundedBefore(i), known, now);
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
        Refunds earlier = byBucket.getOrDefault(made.key(), Refunds.NONE);
        Map<Limit, GivenBack> news = new HashMap<>();
        long until = earlier.untilNanos;
        for (int i = 0; i < before.length; i++) {
            Limit limit = spec.limits().get(i);
            int charged = made.spec().limits().indexOf(limit);
            if (charged < 0) {
                continue;
            }
            LimitAlgorithm algorithm = spec.algorithm(i);
            GivenBack old = earlier.under(limit);
            GivenBack known =
                    algorithm.noted(old, made.words()[charged], made.refundedBefore(charged), before[i], after[i], now);
            if (known.total() != old.total()) {
                news.put(limit, known);
                until = Math.max(until, LongMath.saturatedAdd(now.nanos(), algorithm.fullNanos(before[i], now)));
            }
        }
        if (!news.isEmpty() && (byBucket.size() < MOST_BUCKETS || byBucket.containsKey(made.key()))) {
            Map<Limit, GivenBack> all = new HashMap<>(earlier.byLimit);
            all.putAll(news);
            byBucket.put(made.key(), new Refunds(all, until));
        }
    }

    /**
     * Forgets what is of no more use.
     *
     * @param buckets the table, swept before
     */
    void sweep(TokenBucketCache buckets, Moment now) {
        byBucket.entrySet()
                .removeIf(entry -> entry.getValue().untilNanos <= now.nanos() && !buckets.has(entry.getKey()));
    }
}
