package io.ratelimit.core.algorithm;

import io.ratelimit.LimitState;
import io.ratelimit.rules.Limit;
import java.time.Duration;
import java.util.Arrays;

/**
 * Tokens spent in the last period, estimated from counts: the period is cut into n windows, and of the window that lies
 * partly in the period, that part of its count is believed to have been spent there. With n = 1 it is the classic
 * approximation of two weighted windows: 42 in the minute before, 18 in this one, of which 15 s have passed, are 42 x
 * 0.75 + 18 = 49.5. Exact for that definition: estimates are compared as fractions.
 *
 * <p>The state is 2 + n words, 8 (2 + n) bytes: the mark of the current window, its count, and the counts of the n
 * windows before, the latest first. Windows begin with the client's first request, where counts that have all left are
 * the same as none; or, with n = 1, they are the {@linkplain CalendarBoundaries calendar's}.
 */
final class SlidingWindowCounter implements LimitAlgorithm {

    private final long tokens;
    private final int windows;
    private final Boundaries boundaries;

    private SlidingWindowCounter(long tokens, int windows, Boundaries boundaries) {
        this.tokens = tokens;
        this.windows = windows;
        this.boundaries = boundaries;
    }

    /**
     * The counter of a limit.
     *
     * @param limit a limit of {@code sliding-window-counter}
     * @return the counter
     * @throws IllegalArgumentException if the limit is aligned to the calendar and the calendar has no such period
     */
    public static SlidingWindowCounter of(Limit limit) {
        int precision = limit.options().precision();
        Duration window = limit.period().dividedBy(precision);
        return new SlidingWindowCounter(
                limit.tokens(), precision, Boundaries.of(window, limit.options().alignment()));
    }

    @Override
    public long capacity() {
        return tokens;
    }

    @Override
    public long[] full(Moment now) {
        return none(now).words();
    }

    @Override
    public long fullNanos(long[] state, Moment now) {
        WindowCounts counts = current(state, now);
        int latest = counts.latestUsed();
        return latest > windows ? 0 : nanosToEnd(counts, windows - latest, now);
    }

    @Override
    public long waitNanos(long[] state, Moment now, long cost) {
        if (cost == 0) {
            return 0;
        }
        return cost > tokens ? LimitState.NEVER : waitNanos(current(state, now), now, cost);
    }

    @Override
    public boolean admits(long[] state, Moment now, long cost) {
        return cost == 0 || cost <= remaining(state, now);
    }

    @Override
    public long[] spend(long[] state, Moment now, long cost) {
        WindowCounts counts = current(state, now);
        boolean isFull = counts.latestUsed() > windows;
        long mark = isFull ? boundaries.again(counts.mark(), now) : counts.mark();
        return counts.at(mark).plus(0, cost).words();
    }

    @Override
    public long[] spendRefused(long[] state, Moment now, long cost) {
        WindowCounts counts = current(state, now);
        return counts.plus(0, Math.min(cost, tokens - Math.min(tokens, counts.count(0))))
                .words();
    }

    /** The window that counted the charge. */
    @Override
    public long[] receipt(long[] before, long[] after) {
        return new long[] {after[WindowCounts.MARK]};
    }

    @Override
    public long[] departReceipt(long[] receipt, Moment charged) {
        return new long[] {boundaries.depart(receipt[WindowCounts.MARK], charged)};
    }

    @Override
    public long[] arriveReceipt(long[] departed, Moment charged, Moment now) {
        if (departed.length != 1) {
            throw new IllegalArgumentException("the receipt of a counter arrives as 1 word, not " + departed.length);
        }
        return new long[] {boundaries.arrive(departed[WindowCounts.MARK], charged)};
    }

    /** After a step back of the wall clock the counts go on in the window that it shows. */
    @Override
    public long[] refuse(long[] state, Moment now, long cost) {
        WindowCounts counts = current(state, now);
        return counts.mark() < state[WindowCounts.MARK] ? counts.words() : state;
    }

    /** Takes the tokens out of the window that counted them, as long as it is there. */
    @Override
    public long[] refund(long[] state, Moment now, long refunded, long[] receipt) {
        WindowCounts counts = current(state, now);
        long age = boundaries.between(receipt[WindowCounts.MARK], counts.mark());
        if (age < 0 || age > windows) {
            return counts.words();
        }
        int window = (int) age;
        return counts.plus(window, -Math.min(refunded, counts.count(window))).words();
    }

    @Override
    public long remaining(long[] state, Moment now) {
        return remaining(current(state, now), now);
    }

    @Override
    public long nextTokenNanos(long[] state, Moment now) {
        WindowCounts counts = current(state, now);
        long remaining = remaining(counts, now);
        return remaining == tokens ? 0 : waitNanos(counts, now, remaining + 1);
    }

    @Override
    public long[] ofUsed(long used, Moment now) {
        return none(now).plus(0, Math.min(used, tokens)).words();
    }

    /**
     * Where both count in the same windows, the counts stay where they are. If they are more than this limit allows, the
     * latest of them stay, and what time would bring of those counts as used now.
     */
    @Override
    public long[] carryOver(LimitAlgorithm earlier, long[] state, Moment now) {
        Undecorated before = Undecorated.of(earlier, state);
        boolean countsAlike = before.algorithm() instanceof SlidingWindowCounter other
                && windows == other.windows
                && boundaries.equals(other.boundaries);
        if (!countsAlike) {
            return LimitAlgorithm.super.carryOver(before.algorithm(), before.state(), now);
        }
        WindowCounts counts = current(before.state(), now);
        long used = before.algorithm().capacity() - before.algorithm().remaining(before.state(), now);
        if (used <= tokens) {
            return counts.words();
        }
        WindowCounts cut = counts.latest(tokens);
        return cut.plus(0, remaining(cut, now)).words();
    }

    @Override
    public long[] depart(long[] state, Moment now) {
        WindowCounts counts = current(state, now);
        return counts.at(boundaries.depart(counts.mark(), now)).words();
    }

    @Override
    public long[] arrive(long[] departed, Moment now) {
        if (departed.length != 2 + windows) {
            throw new IllegalArgumentException("a counter of " + windows + " windows arrives as " + (2 + windows)
                    + " words, not " + departed.length);
        }
        WindowCounts counts = new WindowCounts(departed);
        if (!Arrays.stream(departed).skip(1).allMatch(count -> count >= 0 && count <= Limit.MOST_TOKENS)) {
            throw new IllegalArgumentException("the count of a window must be between 0 and " + Limit.MOST_TOKENS);
        }
        return counts.at(boundaries.arrive(counts.mark(), now)).words();
    }

    private WindowCounts none(Moment now) {
        return WindowCounts.none(boundaries.first(now), windows);
    }

    private WindowCounts current(long[] state, Moment now) {
        long mark = state[WindowCounts.MARK];
        return new WindowCounts(state).moved(boundaries.passed(mark, now), boundaries.current(mark, now));
    }

    private long remaining(WindowCounts counts, Moment now) {
        long room = tokens - counts.sumBefore(windows);
        long oldest = counts.count(windows);
        if (room <= 0 || oldest == 0) {
            return Math.max(0, room);
        }
        long length = boundaries.lengthTicks(counts.mark());
        // A thread whose clock lies a little behind the window sees all of the oldest count.
        long left = Math.min(length, boundaries.ticksToEnd(counts.mark(), now));
        return Math.max(0, room - WideProduct.of(oldest, left).dividedByRoundingUp(length));
    }

    /** Goes from window to window until the estimate leaves room for the cost, which is at most all tokens. */
    private long waitNanos(WindowCounts counts, Moment now, long cost) {
        if (cost <= remaining(counts, now)) {
            return 0;
        }
        long free = tokens - cost;
        long inFull = counts.sumBefore(windows);
        int later = 0;
        while (inFull > free) {
            later++;
            inFull -= counts.count(windows - later);
        }
        // In this window the estimate falls from inFull + oldest to inFull, and passes what is free.
        long oldest = counts.count(windows - later);
        long mark = boundaries.after(counts.mark(), later);
        long length = boundaries.lengthTicks(mark);
        long left = free - inFull >= oldest
                ? length
                : WideProduct.of(free - inFull, length).dividedBy(oldest);
        return (boundaries.ticksToEnd(mark, now) - left) * boundaries.nanosPerTick();
    }

    private long nanosToEnd(WindowCounts counts, int later, Moment now) {
        return boundaries.ticksToEnd(boundaries.after(counts.mark(), later), now) * boundaries.nanosPerTick();
    }
}
