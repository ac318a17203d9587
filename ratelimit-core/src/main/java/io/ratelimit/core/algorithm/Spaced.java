package io.ratelimit.core.algorithm;

import com.google.common.math.LongMath;
import io.ratelimit.rules.Limit;
import java.time.Duration;

/**
 * At least so long between two admitted requests that cost something, whatever they cost, beside what the limit counts.
 * A request that waits its turn counts from its turn on.
 *
 * <p>Two own words: the time until which the next request is refused, and what that time was before the last request, so
 * that one which never was can be taken back.
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
        super(inner, 2, 2);
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
        return join(spacedFrom(turn, state), inner().spend(innerState(state), now, cost));
    }

    /** A refused request that counts as if it had passed spaces the next one too. */
    @Override
    public long[] spendRefused(long[] state, Moment now, long cost) {
        long[] own = ownTighter(state, spacedFrom(now.nanos(), state), now);
        return join(own, inner().spendRefused(innerState(state), now, cost));
    }

    @Override
    public long[] ofUsed(long tokens, Moment now) {
        long[] nothing = new long[2];
        return join(tokens == 0 ? nothing : spacedFrom(now.nanos(), nothing), inner().ofUsed(tokens, now));
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
        return state[UNTIL] == receipt[UNTIL] ? new long[] {receipt[UNTIL_BEFORE], 0} : state;
    }

    @Override
    long[] ownCarriedOver(Decorator earlier, long[] state, Moment now) {
        return new long[] {now.nanos() + Math.min(ownNanos(state, now), minIntervalNanos), 0};
    }

    private long[] spacedFrom(long turn, long[] before) {
        return new long[] {LongMath.saturatedAdd(turn, minIntervalNanos), before[UNTIL]};
    }
}
