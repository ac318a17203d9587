package io.ratelimit.core.bucket;

import io.ratelimit.core.algorithm.AdaptiveConcurrency;
import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.rules.Limit;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** What adaptive limits have learned, by the name of their buckets, so that a reload does not forget it. Thread-safe. */
final class LearnedLimits {

    private final ConcurrentMap<String, AdaptiveConcurrency> byBucket = new ConcurrentHashMap<>();

    /** The algorithm of a limit; an adaptive one goes on where the last of its bucket has come to. */
    LimitAlgorithm algorithm(String bucket, Limit limit) {
        LimitAlgorithm algorithm = LimitAlgorithm.of(limit);
        return algorithm instanceof AdaptiveConcurrency adaptive
                ? byBucket.merge(bucket, adaptive, (earlier, fresh) -> fresh.continuing(earlier))
                : algorithm;
    }
}
