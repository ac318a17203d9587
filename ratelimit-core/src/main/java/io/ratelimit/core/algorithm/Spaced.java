package io.ratelimit.core.algorithm;

import com.google.common.math.LongMath;
import io.ratelimit.rules.Limit;
import java.time.Duration;

/**
 * At least so long between two admitted requests that cost something, whatever they cost, beside what the limit counts.
 * One own word: the time until which the next request is refused. A request that waits its turn counts from its turn on.
 * A receipt has that time as the request left it, and as it found it.
 */
final class Spaced extends Decorator {

    private static final int UNTIL_BEFORE = 1;

    private final long minIntervalNanos;

    /**
     * Spaces the requests of a limit.
     *
     * @param inner what the limit counts with
     * @param minInterval the least time between two requests, longer than 0, at most {@link Limit#LONGEST_PERIOD}
     * @throws IllegalArgumentException if the time is out of its range
     */
    public Spaced(LimitAlgorithm inner, Duration minInterval) {
        super(inner, 1, 2);
        if (minInterval.isNegative() || minInterval.isZero() || minInterval.compareTo(Limit.LONGEST_PERIOD) > 0) {
            throw new IllegalArgumentException("minInterval must be longer than 0 and at most "
                    + Limit.LONGEST_PERIOD.toDays() + " days, not " + minInterval);
        }
        this.minIntervalNanos = minInterval.toNanos();
    }

    @Override
    long holdNanos(long[] state, Moment now) {
        return ownNanos(state, now);
    }

    @Override
    public long[] spend(long[] state, Moment now, long cost) {
        long turn = now.nanos() + waitNanos(state, now, cost);
        return join(spacedFrom(turn), inner().spend(innerState(state), now, cost));
    }

    /** A refused request that counts as if it had passed spaces the next one too. */
    @Override
    public long[] spendRefused(long[] state, Moment now, long cost) {
        long[] own = ownTighter(state, spacedFrom(now.nanos()), now);
        return join(own, inner().spendRefused(innerState(state), now, cost));
    }

    @Override
    public long[] ofUsed(long tokens, Moment now) {
        return join(tokens == 0 ? new long[1] : spacedFrom(now.nanos()), inner().ofUsed(tokens, now));
    }

    /** What remains is the limit's; that the next request must keep its distance shows in the wait of a refusal. */
    @Override
    public long remaining(long[] state, Moment now) {
        return inner().remaining(innerState(state), now);
    }

    @Override
    public long nextTokenNanos(long[] state, Moment now) {
        return inner().nextTokenNanos(innerState(state), now);
    }

    /**
     * The last request's place becomes free again. One that others came after leaves a gap: they keep the distances that
     * they were told. Across clocks, where times are known to the length of a hop, it may leave one too.
     */
    @Override
    long[] ownUndone(long[] state, long[] receipt) {
        return state[UNTIL] == receipt[UNTIL] ? new long[] {receipt[UNTIL_BEFORE]} : state;
    }

    @Override
    long[] ownReceipt(long[] before, long[] after) {
        return new long[] {after[UNTIL], before[UNTIL]};
    }

    @Override
    long[] ownCarriedOver(Decorator earlier, long[] state, Moment now) {
        return new long[] {now.nanos() + Math.min(ownNanos(state, now), minIntervalNanos)};
    }

    private long[] spacedFrom(long turn) {
        return new long[] {LongMath.saturatedAdd(turn, minIntervalNanos)};
    }
}
