package io.ratelimit.core.algorithm;

import io.ratelimit.LimitState;
import io.ratelimit.rules.Limit;

/**
 * Tokens refill evenly up to a capacity. One algorithm under three names: a token bucket that holds what is left, a
 * leaky bucket as a meter that holds what was used, and the generic cell rate algorithm that holds the time at which
 * both are back where they began (ITU-T I.371, annex A, shows that they admit the same cells). The state is one word,
 * as {@link CellRate} defines it.
 */
public final class TokenBucket implements LimitAlgorithm {

    private final CellRate rate;

    private TokenBucket(CellRate rate) {
        this.rate = rate;
    }

    /**
     * The bucket of a limit.
     *
     * @param limit a limit of {@code token-bucket} with an even refill, {@code leaky-bucket} or {@code gcra}
     * @return the bucket
     * @throws IllegalArgumentException if the limit cannot be counted exactly: its rate or its capacity is too large
     *     for its period, or it takes more than {@link Limit#LONGEST_PERIOD} to fill
     */
    public static TokenBucket of(Limit limit) {
        return of(limit, NANOSECOND);
    }

    static TokenBucket of(Limit limit, long tickNanos) {
        return new TokenBucket(CellRate.of(limit, tickNanos));
    }

    /**
     * The same arithmetic on the bare word.
     *
     * @return the arithmetic
     */
    public CellRate rate() {
        return rate;
    }

    @Override
    public long capacity() {
        return rate.capacity();
    }

    @Override
    public long[] full(Moment now) {
        return new long[] {rate.full(now.nanos())};
    }

    @Override
    public long fullNanos(long[] state, Moment now) {
        return rate.fullNanos(state[0], now.nanos());
    }

    @Override
    public long[] refresh(long[] state, Moment written, Moment now) {
        long refreshed = rate.refresh(state[0], written.nanos(), now.nanos());
        return refreshed == state[0] ? state : new long[] {refreshed};
    }

    @Override
    public long waitNanos(long[] state, Moment now, long cost) {
        return rate.waitNanos(state[0], now.nanos(), cost);
    }

    @Override
    public boolean admits(long[] state, Moment now, long cost) {
        return rate.admits(state[0], now.nanos(), cost);
    }

    @Override
    public long[] spend(long[] state, Moment now, long cost) {
        return new long[] {rate.spend(state[0], now.nanos(), cost)};
    }

    @Override
    public long longestTurnNanos() {
        return rate.longestTurnNanos();
    }

    @Override
    public long[] spendRefused(long[] state, Moment now, long cost) {
        boolean held = rate.admits(state[0], now.nanos(), cost);
        return held ? spend(state, now, cost) : new long[] {rate.empty(state[0], now.nanos())};
    }

    @Override
    public long[] refund(long[] state, Moment now, long tokens, long[] receipt) {
        return new long[] {rate.refund(state[0], now.nanos(), tokens, receipt[0])};
    }

    @Override
    public GivenBack noted(GivenBack known, long[] receipt, long totalThen, long[] before, long[] after, Moment now) {
        return rate.noted(known, receipt[0], totalThen, before[0], after[0], now.nanos());
    }

    @Override
    public long[] moved(long[] receipt, Moment charged, long totalThen, GivenBack known, Moment now) {
        return new long[] {rate.moved(receipt[0], charged.nanos(), totalThen, known, now.nanos())};
    }

    @Override
    public long place(Moment now) {
        return rate.full(now.nanos());
    }

    @Override
    public long remaining(long[] state, Moment now) {
        return rate.remaining(state[0], now.nanos());
    }

    @Override
    public long nextTokenNanos(long[] state, Moment now) {
        return describe(state, now, 0).nextTokenNanos();
    }

    @Override
    public LimitState describe(long[] state, Moment now, long waitNanos) {
        return rate.describe(state[0], now.nanos(), waitNanos);
    }

    @Override
    public long[] ofUsed(long tokens, Moment now) {
        return new long[] {rate.stateOfUsed(tokens, now.nanos())};
    }

    @Override
    public long[] carryOver(LimitAlgorithm earlier, long[] state, Moment now) {
        Undecorated before = Undecorated.of(earlier, state);
        if (!(before.algorithm() instanceof TokenBucket other)) {
            return LimitAlgorithm.super.carryOver(before.algorithm(), before.state(), now);
        }
        return rate.equals(other.rate)
                ? before.state()
                : new long[] {rate.carryOver(other.rate, before.state()[0], now.nanos())};
    }

    /** What is missing, in units of this rate. */
    @Override
    public long[] depart(long[] state, Moment now) {
        return new long[] {rate.used(state[0], now.nanos())};
    }

    @Override
    public long[] arrive(long[] departed, Moment now) {
        if (departed.length != 1 || departed[0] < 0) {
            throw new IllegalArgumentException(
                    "a token bucket arrives as one number of units, not as " + departed.length + " words");
        }
        return new long[] {rate.stateOfMissing(departed[0], now.nanos())};
    }

    /** A charge that has come back long ago lies behind on a circle and would look like one that is still to come. */
    @Override
    public long[] arriveReceipt(long[] departed, Moment charged, Moment now) {
        return refresh(arrive(departed, charged), charged, now);
    }

    @Override
    public long[] ofSeen(LimitState seen, Moment now) {
        return new long[] {rate.stateOf(seen, now.nanos())};
    }

    @Override
    public long[] tighter(long[] one, long[] other, Moment now) {
        return rate.used(one[0], now.nanos()) >= rate.used(other[0], now.nanos()) ? one : other;
    }
}
