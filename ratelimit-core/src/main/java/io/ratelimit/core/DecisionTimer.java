package io.ratelimit.core;

import io.ratelimit.Decision;
import io.ratelimit.RateLimitListener;
import io.ratelimit.TimeSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Tells how long decisions take, of some of them: two looks at a clock take as long as a decision. Thread-safe. */
final class DecisionTimer {

    private static final int ONE_IN = 16;

    private final RateLimitListener listener;
    private final TimeSource timeSource;
    private final BooleanSupplier chance;

    DecisionTimer(RateLimitListener listener, TimeSource timeSource, BooleanSupplier chance) {
        this.listener = listener;
        this.timeSource = timeSource;
        this.chance = chance;
    }

    /** Times one decision in sixteen. */
    static DecisionTimer sampling(RateLimitListener listener, TimeSource timeSource) {
        return new DecisionTimer(
                listener, timeSource, () -> ThreadLocalRandom.current().nextInt(ONE_IN) == 0);
    }

    /** Times nothing. */
    static DecisionTimer never() {
        return new DecisionTimer(new RateLimitListener() {}, TimeSource.system(), () -> false);
    }

    /** Whether the next decision is to be timed. */
    boolean timesNext() {
        return chance.getAsBoolean();
    }

    CompletableFuture<Decision> time(Supplier<CompletableFuture<Decision>> deciding) {
        long begun = timeSource.nanoTime();
        CompletableFuture<Decision> decision = deciding.get();
        if (decision.isDone()) {
            tell(begun);
        } else {
            decision.whenComplete((made, failure) -> tell(begun));
        }
        return decision;
    }

    /** Times a call that has decided when it returns. */
    <T> T timeCall(Supplier<T> deciding) {
        long begun = timeSource.nanoTime();
        T decided = deciding.get();
        tell(begun);
        return decided;
    }

    private void tell(long begun) {
        listener.onDecisionTime(Math.max(0, timeSource.nanoTime() - begun));
    }
}
