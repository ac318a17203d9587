package io.ratelimit.core.algorithm;

import io.ratelimit.LimitState;
import io.ratelimit.rules.Limit;
import java.util.Arrays;

/**
 * Tokens spent in the last period, each written down with its time: a token comes back exactly one period after it was
 * spent. Never more than the limit passes in any stretch of one period.
 *
 * <p>The state is one word per token that was spent in the last period, the oldest first: 8 bytes per token, at most
 * 80,000 bytes. A word is the time of the charge, in nanoseconds of the keeper's clock. Times are compared by their
 * difference, so that a clock may wrap.
 */
final class SlidingWindowLog implements LimitAlgorithm {

    private static final int MOST_TOKENS = 10_000;

    private final long tokens;
    private final long periodNanos;

    private SlidingWindowLog(long tokens, long periodNanos) {
        this.tokens = tokens;
        this.periodNanos = periodNanos;
    }

    /**
     * The log of a limit.
     *
     * @param limit a limit of {@code sliding-window-log}
     * @return the log
     * @throws IllegalArgumentException if the limit has more than 10,000 tokens
     */
    public static SlidingWindowLog of(Limit limit) {
        if (limit.tokens() > MOST_TOKENS) {
            throw new IllegalArgumentException("sliding-window-log writes down every token and takes at most "
                    + MOST_TOKENS + " per period, not " + limit.tokens() + ": use sliding-window-counter");
        }
        return new SlidingWindowLog(limit.tokens(), limit.period().toNanos());
    }

    @Override
    public long capacity() {
        return tokens;
    }

    @Override
    public boolean hasFixedState() {
        return false;
    }

    @Override
    public long[] full(Moment now) {
        return new long[0];
    }

    @Override
    public long fullNanos(long[] state, Moment now) {
        return state.length == 0 ? 0 : nanosUntilBack(state[state.length - 1], now);
    }

    @Override
    public long waitNanos(long[] state, Moment now, long cost) {
        if (cost == 0) {
            return 0;
        }
        if (cost > tokens) {
            return LimitState.NEVER;
        }
        // The newest entries that may still be there then; the one before them must have come back.
        int mayStay = (int) (tokens - cost);
        return state.length <= mayStay ? 0 : nanosUntilBack(state[state.length - mayStay - 1], now);
    }

    @Override
    public long[] spend(long[] state, Moment now, long cost) {
        return append(state, now, cost);
    }

    /** Written down like another charge; the oldest entries make room for it. */
    @Override
    public long[] spendRefused(long[] state, Moment now, long cost) {
        return append(state, now, cost);
    }

    /** The time of the charge. */
    @Override
    public long[] receipt(long[] before, long[] after) {
        return after.length == 0 ? after : new long[] {after[after.length - 1]};
    }

    /** Removes entries of the charge's time, as long as they are there. */
    @Override
    public long[] refund(long[] state, Moment now, long refunded, long[] receipt) {
        if (receipt.length == 0) {
            return state;
        }
        int from = Math.max(firstAfter(state, receipt[0] - 1), firstCounted(state, now));
        int to = firstAfter(state, receipt[0]);
        int removed = (int) Math.min(refunded, Math.max(0, to - from));
        if (removed == 0) {
            return state;
        }
        long[] left = new long[state.length - removed];
        System.arraycopy(state, 0, left, 0, from);
        System.arraycopy(state, from + removed, left, from, state.length - from - removed);
        return left;
    }

    @Override
    public long remaining(long[] state, Moment now) {
        return tokens - state.length + firstCounted(state, now);
    }

    @Override
    public long nextTokenNanos(long[] state, Moment now) {
        int first = firstCounted(state, now);
        return first == state.length ? 0 : nanosUntilBack(state[first], now);
    }

    @Override
    public long[] ofUsed(long used, Moment now) {
        return append(full(now), now, used);
    }

    /** Where both look back equally far, the newest entries stay. */
    @Override
    public long[] carryOver(LimitAlgorithm earlier, long[] state, Moment now) {
        Undecorated before = Undecorated.of(earlier, state);
        long[] words = before.state();
        if (before.algorithm() instanceof SlidingWindowLog other && periodNanos == other.periodNanos) {
            int from = Math.max(firstCounted(words, now), words.length - (int) tokens);
            return Arrays.copyOfRange(words, from, words.length);
        }
        return LimitAlgorithm.super.carryOver(before.algorithm(), words, now);
    }

    @Override
    public long[] depart(long[] state, Moment now) {
        long[] departed = Arrays.copyOfRange(state, firstCounted(state, now), state.length);
        long farthest = Boundaries.LONGEST_LAG.toNanos();
        Arrays.setAll(departed, i -> Math.min(departed[i] - now.nanos(), farthest));
        return departed;
    }

    @Override
    public long[] arrive(long[] departed, Moment now) {
        if (departed.length > tokens) {
            throw new IllegalArgumentException(
                    "a log of " + tokens + " tokens arrives as at most as many words, not " + departed.length);
        }
        long earliest = 1 - periodNanos;
        for (long time : departed) {
            if (time < earliest || time > Boundaries.LONGEST_LAG.toNanos()) {
                throw new IllegalArgumentException("the times of a log must be in order, more than " + -periodNanos
                        + " and at most " + Boundaries.LONGEST_LAG.toNanos() + " ns from now, not " + time);
            }
            earliest = time;
        }
        return Arrays.stream(departed).map(time -> now.nanos() + time).toArray();
    }

    /** Adds entries, forgets what has come back, and keeps at most as many as there are tokens. */
    private long[] append(long[] state, Moment now, long cost) {
        int added = (int) Math.min(cost, tokens);
        int kept = Math.min(state.length - firstCounted(state, now), (int) tokens - added);
        long[] appended = new long[kept + added];
        System.arraycopy(state, state.length - kept, appended, 0, kept);
        // A thread whose clock lies a little behind counts with the latest charge, so that times stay in order.
        boolean isBehind = state.length > 0 && state[state.length - 1] - now.nanos() > 0;
        Arrays.fill(appended, kept, appended.length, isBehind ? state[state.length - 1] : now.nanos());
        return appended;
    }

    /** The first entry that lies less than a period back; all later ones do too. */
    private int firstCounted(long[] state, Moment now) {
        return firstAfter(state, now.nanos() - periodNanos);
    }

    private static int firstAfter(long[] state, long nanos) {
        int low = 0;
        int high = state.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (state[middle] - nanos > 0) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private long nanosUntilBack(long time, Moment now) {
        return Math.max(0, time + periodNanos - now.nanos());
    }
}
