package io.ratelimit.core;

import io.ratelimit.TimeSource;
import io.ratelimit.core.bucket.FailureLog;
import io.ratelimit.core.match.RulesCache;
import io.ratelimit.core.permits.RulePermits;
import io.ratelimit.core.retrieve.JobScheduler;
import io.ratelimit.core.retrieve.RetrieveRulesTask;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What an engine is made of, put together by its builder.
 *
 * @param timer ends waits for the shared store, and does nothing that takes long
 * @param maintenance does what takes long
 */
record EngineParts(
        TimeSource timeSource,
        RulesCache rules,
        RetrieveRulesTask task,
        JobScheduler retrieval,
        ScheduledExecutorService timer,
        ScheduledExecutorService maintenance,
        EngineBuckets buckets,
        List<FailureLog> failures,
        TokenBucketRateLimiter limiter,
        AnswerThreads answers,
        RulePermits permits) {}
