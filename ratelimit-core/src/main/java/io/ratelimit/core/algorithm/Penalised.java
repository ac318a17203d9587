package io.ratelimit.core.algorithm;

import io.ratelimit.LimitState;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.Penalty;
import java.time.Duration;

/**
 * A client that is refused several times within one period of the limit, counted from the first refusal on, is refused
 * everything that costs something for a while. Refusals during the penalty do not prolong it; afterwards counting starts
 * anew.
 *
 * <p>Two own words: how many refusals were counted, and before that the time until which that number stands. As many as
 * the penalty comes after mean that the client is penalised until then; fewer mean that they are counted until then.
 */
final class Penalised extends Decorator {

    private static final int REFUSALS = 1;

    private final int refusals;
    private final long lengthNanos;
    private final long periodNanos;

    /**
     * Adds a penalty to a limit.
     *
     * @param inner what the limit counts with
     * @param penalty the penalty
     * @param period the limit's period, longer than 0, at most {@link Limit#LONGEST_PERIOD}
     * @throws IllegalArgumentException if there is no period to count refusals in
     */
    public Penalised(LimitAlgorithm inner, Penalty penalty, Duration period) {
        super(inner, 2, 0);
        if (period.isNegative() || period.isZero() || period.compareTo(Limit.LONGEST_PERIOD) > 0) {
            throw new IllegalArgumentException("a penalty counts refusals within the limit's period, which must be"
                    + " longer than 0 and at most " + Limit.LONGEST_PERIOD.toDays() + " days, not " + period);
        }
        this.refusals = penalty.refusals();
        this.lengthNanos = penalty.length().toNanos();
        this.periodNanos = period.toNanos();
    }

    @Override
    long holdNanos(long[] state, Moment now) {
        return state[REFUSALS] >= refusals ? ownNanos(state, now) : 0;
    }

    /** A turn comes after the penalty, so that is when its tokens are taken. */
    @Override
    public long[] spend(long[] state, Moment now, long cost) {
        Moment begin = now.minusNanos(-holdNanos(state, now));
        return join(state, inner().spend(innerState(state), begin, cost));
    }

    @Override
    public long[] refuse(long[] state, Moment now, long cost) {
        long[] refused = super.refuse(state, now, cost);
        return holdNanos(state, now) > 0 ? refused : join(counted(state, now), innerState(refused));
    }

    private long[] counted(long[] state, Moment now) {
        long count = ownNanos(state, now) > 0 ? state[REFUSALS] + 1 : 1;
        if (count >= refusals) {
            return new long[] {now.nanos() + lengthNanos, refusals};
        }
        return new long[] {count == 1 ? now.nanos() + periodNanos : state[UNTIL], count};
    }

    /** A penalty goes on, at most as long as the new one; counting goes on, one refusal short of the penalty at most. */
    @Override
    long[] ownCarriedOver(Decorator earlier, long[] state, Moment now) {
        long rest = ownNanos(state, now);
        if (rest == 0) {
            return new long[2];
        }
        if (earlier.holdNanos(state, now) > 0) {
            return new long[] {now.nanos() + Math.min(rest, lengthNanos), refusals};
        }
        long count = Math.min(state[REFUSALS], refusals - 1);
        return count == 0 ? new long[2] : new long[] {now.nanos() + Math.min(rest, periodNanos), count};
    }

    /** The wait for the next token may be that of a penalty, so that no debt can be read from it. */
    @Override
    public long[] ofSeen(LimitState seen, Moment now) {
        long[] owing = super.ofSeen(seen, now);
        long[] empty = ofUsed(capacity(), now);
        return fullNanos(owing, now) > fullNanos(empty, now) ? empty : owing;
    }

    /** A penalty before counting, more refusals before fewer, a later end before an earlier one. */
    @Override
    long[] ownTighter(long[] one, long[] other, Moment now) {
        long left = ownNanos(one, now) > 0 ? one[REFUSALS] : 0;
        long right = ownNanos(other, now) > 0 ? other[REFUSALS] : 0;
        return left == right ? super.ownTighter(one, other, now) : left > right ? one : other;
    }
}
