package io.ratelimit.core.permits;

import io.ratelimit.Permits;
import io.ratelimit.Reservation;
import io.ratelimit.TimeSource;
import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.core.algorithm.TokenBucket;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Permits of one limit in this process, without rules and without an engine. Full at first. Has no thread of its own:
 * whoever waits without one is called back by the timer that all {@link CompletableFuture}s of the process share.
 * Thread-safe.
 */
public final class LocalPermits implements Permits {

    private final Permits permits;

    LocalPermits(Limit limit, TimeSource timeSource, Pause pause, Alarm alarm) {
        if (limit.algorithm() == Algorithm.CONCURRENCY) {
            throw new IllegalArgumentException("concurrency has no permits: what is under way must be released, and"
                    + " permits are not; use a java.util.concurrent.Semaphore, or a limit of tokens per period");
        }
        this.permits = new BucketPermits(bucket(limit, timeSource), timeSource, pause, alarm);
    }

    private static PermitBucket bucket(Limit limit, TimeSource timeSource) {
        LimitAlgorithm algorithm = LimitAlgorithm.of(limit);
        return algorithm instanceof TokenBucket bucket
                ? new RateBucket(bucket.rate(), timeSource)
                : new LocalBucket(algorithm, timeSource);
    }

    /**
     * Permits by the clocks of this machine.
     *
     * @param limit the limit, of any algorithm but {@code concurrency}
     * @return permits that nobody has taken
     * @throws IllegalArgumentException if the limit is one of {@code concurrency}, or cannot be counted exactly
     */
    public static LocalPermits of(Limit limit) {
        return of(limit, TimeSource.system());
    }

    /**
     * Permits by other clocks. They say what is there and how long to wait; the waiting itself is the machine's.
     *
     * @param limit the limit, of any algorithm but {@code concurrency}
     * @param timeSource the clocks
     * @return permits that nobody has taken
     * @throws IllegalArgumentException if the limit is one of {@code concurrency}, or cannot be counted exactly
     */
    public static LocalPermits of(Limit limit, TimeSource timeSource) {
        return new LocalPermits(limit, timeSource, Pause.PARK, Alarm.SHARED);
    }

    @Override
    public boolean tryAcquire(long tokens) {
        return permits.tryAcquire(tokens);
    }

    @Override
    public void acquire(long tokens) throws InterruptedException {
        permits.acquire(tokens);
    }

    @Override
    public boolean acquire(long tokens, Duration timeout) throws InterruptedException {
        return permits.acquire(tokens, timeout);
    }

    @Override
    public Reservation reserve(long tokens) {
        return permits.reserve(tokens);
    }

    @Override
    public Optional<Reservation> reserve(long tokens, Duration maxWait) {
        return permits.reserve(tokens, maxWait);
    }

    @Override
    public CompletableFuture<Boolean> acquireAsync(long tokens, Duration timeout) {
        return permits.acquireAsync(tokens, timeout);
    }
}
