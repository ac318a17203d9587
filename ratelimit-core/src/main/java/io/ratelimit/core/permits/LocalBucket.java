package io.ratelimit.core.permits;

import io.ratelimit.LimitState;
import io.ratelimit.TimeSource;
import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.core.algorithm.Moment;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

/** One bucket of one limit in this process, changed by compare-and-set. Thread-safe. */
final class LocalBucket implements PermitBucket {

    /** A state and when it was written; nobody writes to the words. */
    private static final class Written {

        private final long[] state;
        private final Moment at;

        Written(long[] state, Moment at) {
            this.state = state;
            this.at = at;
        }
    }

    private final LimitAlgorithm algorithm;
    private final TimeSource timeSource;
    private final long origin;
    private final AtomicReference<Written> bucket;

    LocalBucket(LimitAlgorithm algorithm, TimeSource timeSource) {
        this.algorithm = algorithm;
        this.timeSource = timeSource;
        this.origin = timeSource.nanoTime();
        Moment now = now();
        this.bucket = new AtomicReference<>(new Written(algorithm.full(now), now));
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
                if (bucket.compareAndSet(before, new Written(after, now))) {
                    long[] receipt = algorithm.receipt(after);
                    return new Attempt.Granted(wait, () -> giveBack(tokens, receipt));
                }
            } else {
                long[] after = algorithm.refuse(state, now, tokens);
                if (after == state || bucket.compareAndSet(before, new Written(after, now))) {
                    return new Attempt.Refused(Math.max(1, algorithm.waitNanos(after, now, tokens)));
                }
            }
        }
    }

    private void giveBack(long tokens, long[] receipt) {
        while (true) {
            Written before = Objects.requireNonNull(bucket.get());
            Moment now = now();
            long[] after = algorithm.undo(algorithm.refresh(before.state, before.at, now), now, tokens, receipt);
            if (bucket.compareAndSet(before, new Written(after, now))) {
                return;
            }
        }
    }

    private Moment now() {
        return new Moment(timeSource.nanoTime() - origin, timeSource.currentTimeMillis());
    }
}
