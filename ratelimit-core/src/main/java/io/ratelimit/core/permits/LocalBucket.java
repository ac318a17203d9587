package io.ratelimit.core.permits;

import io.ratelimit.LimitState;
import io.ratelimit.TimeSource;
import io.ratelimit.core.algorithm.GivenBack;
import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.core.algorithm.Moment;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

/** One bucket of one limit in this process, changed by compare-and-set. Thread-safe. */
final class LocalBucket implements PermitBucket {

    /**
     * A state.
     *
     * @param state its words, which nobody writes to
     * @param at when it was written
     * @param givenBack what was given back until then
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Written(long[] state, Moment at, GivenBack givenBack) {}

    private final LimitAlgorithm algorithm;
    private final TimeSource timeSource;
    private final long origin;
    private final AtomicReference<Written> bucket;

    LocalBucket(LimitAlgorithm algorithm, TimeSource timeSource) {
        this.algorithm = algorithm;
        this.timeSource = timeSource;
        this.origin = timeSource.nanoTime();
        Moment now = now();
        this.bucket = new AtomicReference<>(new Written(algorithm.full(now), now, GivenBack.NOTHING));
    }

    @Override
    public long capacity() {
        return algorithm.capacity();
    }

    @Override
    public CompletionStage<Attempt> take(long tokens, long maxWaitNanos) {
        return CompletableFuture.completedFuture(takeNow(tokens, maxWaitNanos));
    }

    private Attempt takeNow(long tokens, long maxWaitNanos) {
        while (true) {
            Written before = Objects.requireNonNull(bucket.get());
            Moment now = now();
            long[] state = algorithm.refresh(before.state, before.at, now);
            long wait = algorithm.waitNanos(state, now, tokens);
            if (wait == LimitState.NEVER) {
                return Attempt.NEVER;
            }
            if (algorithm.isGranted(wait, maxWaitNanos)) {
                long[] after = algorithm.spend(state, now, tokens);
                if (bucket.compareAndSet(before, new Written(after, now, before.givenBack))) {
                    long[] receipt = algorithm.receipt(state, after);
                    return new Attempt.Granted(wait, () -> giveBack(tokens, receipt, now, before.givenBack.total()));
                }
            } else {
                long[] after = algorithm.refuse(state, now, tokens);
                if (after == state || bucket.compareAndSet(before, new Written(after, now, before.givenBack))) {
                    return new Attempt.Refused(Math.max(1, algorithm.waitNanos(after, now, tokens)));
                }
            }
        }
    }

    private void giveBack(long tokens, long[] receipt, Moment charged, long totalThen) {
        while (true) {
            Written before = Objects.requireNonNull(bucket.get());
            Moment now = now();
            long[] state = algorithm.refresh(before.state, before.at, now);
            long[] moved = algorithm.moved(receipt, charged, totalThen, before.givenBack, now);
            long[] after = algorithm.undo(state, now, tokens, moved);
            GivenBack givenBack = algorithm.noted(before.givenBack, receipt, totalThen, state, after, now);
            if (bucket.compareAndSet(before, new Written(after, now, givenBack))) {
                return;
            }
        }
    }

    private Moment now() {
        return new Moment(timeSource.nanoTime() - origin, timeSource.currentTimeMillis());
    }
}
