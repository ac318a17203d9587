package io.ratelimit.core.permits;

import io.ratelimit.LimitState;
import io.ratelimit.TimeSource;
import io.ratelimit.core.algorithm.CellRate;
import io.ratelimit.core.algorithm.GivenBack;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One bucket of a limit that refills evenly: a long that is changed by compare-and-set, and nothing that is allocated to
 * take what is there. Thread-safe.
 */
final class RateBucket implements PermitBucket {

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    /**
     * The state stands alone between words that nobody uses: a thread that changes it takes the cache line away from the
     * others, who would wait for whatever else is in it.
     */
    private static final int STATE = 8;

    private static final int WORDS = 2 * STATE;

    /** After a quarter of the shortest circle that {@link CellRate} compares states on, a state is brought up to date. */
    private static final long LONGEST_REST_NANOS = Duration.ofMinutes(30).toNanos();

    /** So that those who ask often do not write the time each time. */
    private static final long TIME_IS_NEWS_AFTER_NANOS = Duration.ofSeconds(1).toNanos();

    private final CellRate rate;
    private final TimeSource timeSource;
    private final long origin;
    private final long[] words = new long[WORDS];

    /** Under the monitor. */
    private GivenBack givenBack = GivenBack.NOTHING;

    /** About when somebody last asked. */
    private volatile long askedNanos;

    RateBucket(CellRate rate, TimeSource timeSource) {
        this.rate = rate;
        this.timeSource = timeSource;
        this.origin = timeSource.nanoTime();
        WORD.setVolatile(words, STATE, rate.full(0));
    }

    @Override
    public long capacity() {
        return rate.capacity();
    }

    @Override
    public boolean tryTake(long tokens) {
        while (true) {
            long before = state();
            long now = timeSource.nanoTime() - origin;
            if (wasAtRest(now)) {
                continue;
            }
            if (!rate.admits(before, now, tokens)) {
                return false;
            }
            if (replace(before, rate.spend(before, now, tokens))) {
                return true;
            }
        }
    }

    @Override
    public CompletionStage<Attempt> take(long tokens, long maxWaitNanos) {
        return CompletableFuture.completedFuture(takeNow(tokens, maxWaitNanos));
    }

    /** Under the monitor, so that what was given back belongs to the state. */
    private synchronized Attempt takeNow(long tokens, long maxWaitNanos) {
        long totalThen = givenBack.total();
        while (true) {
            long before = state();
            long now = timeSource.nanoTime() - origin;
            if (wasAtRest(now)) {
                continue;
            }
            long wait = rate.waitNanos(before, now, tokens);
            if (wait == LimitState.NEVER) {
                return Attempt.NEVER;
            }
            if (wait > Math.min(maxWaitNanos, rate.longestTurnNanos())) {
                return new Attempt.Refused(wait);
            }
            long after = rate.spend(before, now, tokens);
            if (replace(before, after)) {
                return new Attempt.Granted(wait, () -> giveBack(tokens, after, now, totalThen));
            }
        }
    }

    private synchronized void giveBack(long tokens, long stateAfterCharge, long chargedNanos, long totalThen) {
        GivenBack known = givenBack;
        while (true) {
            long before = state();
            long now = timeSource.nanoTime() - origin;
            if (wasAtRest(now)) {
                continue;
            }
            long moved = rate.moved(stateAfterCharge, chargedNanos, totalThen, known, now);
            long after = rate.refund(before, now, tokens, moved);
            if (replace(before, after)) {
                givenBack = rate.noted(known, stateAfterCharge, totalThen, before, after, now);
                return;
            }
        }
    }

    private long state() {
        return (long) WORD.getVolatile(words, STATE);
    }

    private boolean replace(long before, long after) {
        return WORD.compareAndSet(words, STATE, before, after);
    }

    /**
     * Whether nobody had asked for so long that the state had to be brought up to date, and must be read again. The time is
     * read after a state: by an earlier one, what others took since would look like more than it is.
     */
    private boolean wasAtRest(long now) {
        long rest = now - askedNanos;
        if (rest > LONGEST_REST_NANOS) {
            refresh(now);
            return true;
        }
        if (rest > TIME_IS_NEWS_AFTER_NANOS) {
            askedNanos = now;
        }
        return false;
    }

    /** A bucket that became full long ago would look used again once its state comes round. */
    private synchronized void refresh(long now) {
        long asked = askedNanos;
        long before = state();
        if (now - asked > LONGEST_REST_NANOS) {
            replace(before, rate.refresh(before, asked, now));
        }
        askedNanos = now;
    }
}
