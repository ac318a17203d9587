package io.ratelimit.core.algorithm;

import com.google.common.math.LongMath;
import io.ratelimit.LimitState;
import io.ratelimit.rules.Limit;
import java.math.RoundingMode;
import java.time.Duration;

/**
 * Tokens that come back so many at once, at the end of each period, up to a capacity: a fixed window where the capacity
 * is what comes back, or a token bucket that refills at intervals, as semaphore-based limiters do.
 *
 * <p>The state is two words, 16 bytes: the mark of the current period and the tokens used. Periods begin with the
 * client's first request, where a full bucket is the same as none and the next request starts a new period; or they are
 * the {@linkplain CalendarBoundaries calendar's}. As any fixed window, it lets up to twice its tokens pass within one
 * period's length around a boundary.
 */
final class IntervalBucket implements LimitAlgorithm {

    private static final int MARK = 0;
    private static final int USED = 1;

    private final long tokens;
    private final long capacity;
    private final Boundaries boundaries;

    private IntervalBucket(long tokens, long capacity, Boundaries boundaries) {
        this.tokens = tokens;
        this.capacity = capacity;
        this.boundaries = boundaries;
    }

    /**
     * The bucket of a limit.
     *
     * @param limit a limit of {@code fixed-window}, or of {@code token-bucket} with {@code refill: interval}
     * @return the bucket
     * @throws IllegalArgumentException if the bucket takes more than {@link Limit#LONGEST_PERIOD} to fill, or if the limit
     *     is aligned to the calendar and the calendar has no such period
     */
    public static IntervalBucket of(Limit limit) {
        long periods = LongMath.divide(limit.capacity(), limit.tokens(), RoundingMode.CEILING);
        Duration longest = Limit.LONGEST_PERIOD;
        if (LongMath.saturatedMultiply(periods, limit.period().toNanos()) > longest.toNanos()) {
            throw new IllegalArgumentException("the limit takes more than " + longest.toDays()
                    + " days to fill: use a smaller burst or a higher rate");
        }
        return new IntervalBucket(
                limit.tokens(),
                limit.capacity(),
                Boundaries.of(limit.period(), limit.options().alignment()));
    }

    @Override
    public long capacity() {
        return capacity;
    }

    @Override
    public long[] full(Moment now) {
        return state(boundaries.first(now), 0);
    }

    @Override
    public long fullNanos(long[] state, Moment now) {
        return nanosUntilBack(used(state, now), state, now);
    }

    @Override
    public long waitNanos(long[] state, Moment now, long cost) {
        if (cost == 0) {
            return 0;
        }
        if (cost > capacity) {
            return LimitState.NEVER;
        }
        return nanosUntilBack(used(state, now) - (capacity - cost), state, now);
    }

    @Override
    public long[] spend(long[] state, Moment now, long cost) {
        long used = used(state, now);
        long mark = used == 0 ? boundaries.again(state[MARK], now) : boundaries.current(state[MARK], now);
        return state(mark, used + cost);
    }

    @Override
    public long[] spendRefused(long[] state, Moment now, long cost) {
        return spend(state, now, Math.min(cost, remaining(state, now)));
    }

    /** After a step back of the wall clock what is used stays used in the window that it shows. */
    @Override
    public long[] refuse(long[] state, Moment now, long cost) {
        long mark = boundaries.current(state[MARK], now);
        return mark < state[MARK] ? state(mark, used(state, now)) : state;
    }

    /**
     * Gives tokens of an earlier charge back. Of what was used when the charge was made, its own tokens count as the
     * last to come back; where another row of periods has begun since, all have. The period that it began goes on.
     */
    @Override
    public long[] refund(long[] state, Moment now, long refunded, long[] receipt) {
        long mark = boundaries.current(state[MARK], now);
        long periods = boundaries.between(receipt[MARK], mark);
        long held = periods < 0 ? 0 : Math.min(refunded, usedAfter(periods, receipt));
        return state(mark, Math.max(0, used(state, now) - held));
    }

    @Override
    public long remaining(long[] state, Moment now) {
        return capacity - used(state, now);
    }

    @Override
    public long nextTokenNanos(long[] state, Moment now) {
        return nanosUntilBack(Math.min(1, used(state, now)), state, now);
    }

    @Override
    public long[] ofUsed(long used, Moment now) {
        return state(boundaries.first(now), Math.min(used, capacity));
    }

    /** Where both have the same periods, the current one goes on. */
    @Override
    public long[] carryOver(LimitAlgorithm earlier, long[] state, Moment now) {
        Undecorated before = Undecorated.of(earlier, state);
        long[] words = before.state();
        if (before.algorithm() instanceof IntervalBucket other && boundaries.equals(other.boundaries)) {
            return state(boundaries.current(words[MARK], now), Math.min(other.used(words, now), capacity));
        }
        return LimitAlgorithm.super.carryOver(before.algorithm(), words, now);
    }

    @Override
    public long[] depart(long[] state, Moment now) {
        return state(boundaries.depart(boundaries.current(state[MARK], now), now), used(state, now));
    }

    @Override
    public long[] arrive(long[] departed, Moment now) {
        if (departed.length != 2) {
            throw new IllegalArgumentException(
                    "a bucket that refills at intervals arrives as 2 words, not " + departed.length);
        }
        if (departed[USED] < 0 || departed[USED] > capacity) {
            throw new IllegalArgumentException(
                    "of " + capacity + " tokens, " + departed[USED] + " cannot have been used");
        }
        return state(boundaries.arrive(departed[MARK], now), departed[USED]);
    }

    private long used(long[] state, Moment now) {
        return usedAfter(boundaries.passed(state[MARK], now), state);
    }

    private long usedAfter(long periods, long[] state) {
        return Math.max(0, state[USED] - LongMath.saturatedMultiply(tokens, periods));
    }

    /** The time until so many of the tokens that are used now have come back. */
    private long nanosUntilBack(long lacking, long[] state, Moment now) {
        if (lacking <= 0) {
            return 0;
        }
        long periods = LongMath.divide(lacking, tokens, RoundingMode.CEILING);
        long last = boundaries.after(boundaries.current(state[MARK], now), periods - 1);
        return boundaries.ticksToEnd(last, now) * boundaries.nanosPerTick();
    }

    private static long[] state(long mark, long used) {
        return new long[] {mark, used};
    }
}
