package io.ratelimit.core;

import io.ratelimit.TimeSource;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.core.match.RulesCache;
import io.ratelimit.core.permits.RulePermits;
import io.ratelimit.core.retrieve.JobScheduler;
import io.ratelimit.core.retrieve.RetrieveRulesTask;
import io.ratelimit.store.BucketStore;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * What an engine is made of, put together by its builder.
 *
 * @param timer ends waits for the shared store, and does nothing that takes long
 * @param maintenance does what takes long
 * @param shared what the hosts share, or null
 * @param buckets all buckets; what is shared is closed with it
 */
record EngineParts(
        TimeSource timeSource,
        RulesCache rules,
        RetrieveRulesTask task,
        JobScheduler retrieval,
        ScheduledExecutorService timer,
        ScheduledExecutorService maintenance,
        LocalBucketStore local,
        @Nullable BucketStore shared,
        BucketStore buckets,
        TokenBucketRateLimiter limiter,
        RulePermits permits) {}
