package io.ratelimit.benchmarks.daemon;

import io.ratelimit.Decision;
import io.ratelimit.RateLimiter;
import io.ratelimit.benchmarks.BenchmarkRequest;

/** Asks a limiter, of this process or a daemon's. */
final class LimiterAsking implements Asking {

    private final RateLimiter limiter;
    private final Runnable end;

    LimiterAsking(RateLimiter limiter, Runnable end) {
        this.limiter = limiter;
        this.end = end;
    }

    @Override
    public boolean ask(String client) {
        Decision decision = limiter.decide(new BenchmarkRequest("/api/orders", client));
        return decision.allowed() && decision.reason() == Decision.Reason.WITHIN_LIMITS;
    }

    @Override
    public void close() {
        end.run();
    }
}
