package io.ratelimit.benchmarks;

import com.google.common.util.concurrent.RateLimiter;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.ratelimit.rules.Limit;
import java.time.Duration;

/**
 * The other limiters under the same limit. All read {@link System#nanoTime()}. None is quite the same:
 *
 * <ul>
 *   <li>Bucket4j refills evenly ("greedy") up to the capacity, as a token bucket of ours. Without locks.
 *   <li>Resilience4j counts in cycles: all tokens are back at the start of the next period, so that twice the limit can
 *       pass around it. A refusal is answered at once (timeout 0). Without locks.
 *   <li>Guava holds the tokens of one second at most, so the capacity is the rate. A request passes if the one before
 *       it has been paid for, whatever it costs itself: the next one waits for that. Locks.
 *   <li>Failsafe's smooth limiter spaces requests evenly, without a burst; its bursty limiter counts in cycles. Locks.
 * </ul>
 */
final class Peers {

    private static final double NANOS_PER_SECOND = 1e9;

    private final Limit limit;

    Peers(Limit limit) {
        this.limit = limit;
    }

    Bucket bucket4j() {
        return Bucket.builder()
                .addLimit(
                        bandwidth -> bandwidth.capacity(limit.capacity()).refillGreedy(limit.tokens(), limit.period()))
                .withNanosecondPrecision()
                .build();
    }

    RateLimiterConfig resilience4j() {
        return RateLimiterConfig.custom()
                .limitForPeriod(Math.toIntExact(limit.tokens()))
                .limitRefreshPeriod(limit.period())
                .timeoutDuration(Duration.ZERO)
                .build();
    }

    RateLimiter guava() {
        return RateLimiter.create(
                limit.tokens() * NANOS_PER_SECOND / limit.period().toNanos());
    }

    dev.failsafe.RateLimiter<Object> failsafeSmooth() {
        return dev.failsafe.RateLimiter.smoothBuilder(limit.period().dividedBy(limit.tokens()))
                .build();
    }

    dev.failsafe.RateLimiter<Object> failsafeBursty() {
        return dev.failsafe.RateLimiter.burstyBuilder(limit.tokens(), limit.period())
                .build();
    }
}
