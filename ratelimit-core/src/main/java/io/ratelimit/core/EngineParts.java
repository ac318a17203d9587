package io.ratelimit.core;

import io.ratelimit.RateLimitListener;
import io.ratelimit.TimeSource;
import io.ratelimit.core.bucket.FailureLog;
import io.ratelimit.core.match.RulesCache;
import io.ratelimit.core.permits.RulePermits;
import io.ratelimit.core.queue.WaitingLines;
import io.ratelimit.core.report.HostReports;
import io.ratelimit.core.retrieve.JobScheduler;
import io.ratelimit.core.retrieve.RetrieveRulesTask;
import io.ratelimit.rules.RulesSource;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an engine is made of, put together by its builder. */
record EngineParts(
        TimeSource timeSource,
        RulesSource rulesSource,
        RulesCache rules,
        RetrieveRulesTask task,
        JobScheduler retrieval,
        @Nullable HostReports reports,
        EngineThreads threads,
        EngineBuckets buckets,
        Duration syncPeriod,
        List<FailureLog> failures,
        RateLimitListener listener,
        TokenBucketRateLimiter limiter,
        RulePermits permits,
        WaitingLines lines) {}
