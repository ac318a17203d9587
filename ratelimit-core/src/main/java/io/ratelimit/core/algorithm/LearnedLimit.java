package io.ratelimit.core.algorithm;

import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limit.WindowedLimit;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How many tokens may be in flight, as Netflix concurrency-limits learns it. Thread-safe. */
final class LearnedLimit {

    /** Slow responses need a longer window than fast ones to be enough for a mean. */
    private static final Duration LONGEST_WINDOW = Duration.ofMinutes(1);

    private final WindowedLimit limit;

    private LearnedLimit(WindowedLimit limit) {
        this.limit = limit;
    }

    static LearnedLimit between(int start, int most) {
        Gradient2Limit gradient = Gradient2Limit.newBuilder()
                .initialLimit(start)
                .minLimit(1)
                .maxConcurrency(most)
                .build();
        // By itself the gradient takes each response for a trend, so that slow operations beside fast ones hold it
        // down.
        return new LearnedLimit(WindowedLimit.newBuilder()
                .maxWindowTime(LONGEST_WINDOW.toNanos(), TimeUnit.NANOSECONDS)
                .build(gradient));
    }

    int tokens() {
        return limit.getLimit();
    }

    void learn(long beganNanos, long endedNanos, int inFlight) {
        limit.onSample(beganNanos, endedNanos - beganNanos, inFlight, false);
    }
}
