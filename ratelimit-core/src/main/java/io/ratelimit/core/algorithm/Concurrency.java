package io.ratelimit.core.algorithm;

import io.ratelimit.LimitState;
import io.ratelimit.rules.Limit;

/**
 * So many tokens in requests that are under way. The state is {@link InFlight}. Nothing comes back by time;
 * {@link #release} gives back what a request holds when it ends.
 */
final class Concurrency implements LimitAlgorithm {

    private final long tokens;

    private Concurrency(long tokens) {
        this.tokens = tokens;
    }

    /**
     * The arithmetic of a limit.
     *
     * @param limit a limit of {@code concurrency} with a fixed number of tokens
     * @return the arithmetic
     */
    public static Concurrency of(Limit limit) {
        return new Concurrency(limit.tokens());
    }

    @Override
    public long capacity() {
        return tokens;
    }

    @Override
    public boolean countsInFlight() {
        return true;
    }

    @Override
    public long[] full(Moment now) {
        return InFlight.none(now).words();
    }

    @Override
    public long fullNanos(long[] state, Moment now) {
        return InFlight.of(state).tokens() == 0 ? 0 : NOT_BY_WAITING;
    }

    /** No wait is ever named: nobody knows when a request ends. */
    @Override
    public long waitNanos(long[] state, Moment now, long cost) {
        return cost <= remaining(state, now) ? 0 : LimitState.NEVER;
    }

    @Override
    public long[] spend(long[] state, Moment now, long cost) {
        return InFlight.of(state).plus(cost).words();
    }

    /** A refused request is not under way, and nobody would release it. */
    @Override
    public long[] spendRefused(long[] state, Moment now, long cost) {
        return state;
    }

    /** A request that gets its tokens back is still under way. */
    @Override
    public long[] refund(long[] state, Moment now, long tokens, long[] receipt) {
        return state;
    }

    @Override
    public long[] undo(long[] state, Moment now, long cost, long[] receipt) {
        return release(state, now, cost, receipt);
    }

    @Override
    public long[] release(long[] state, Moment now, long cost, long[] receipt) {
        InFlight inFlight = InFlight.of(state);
        return inFlight.counts(receipt) ? inFlight.minus(cost).words() : state;
    }

    @Override
    public long remaining(long[] state, Moment now) {
        return Math.max(0, tokens - InFlight.of(state).tokens());
    }

    @Override
    public long nextTokenNanos(long[] state, Moment now) {
        return 0;
    }

    @Override
    public long[] ofUsed(long used, Moment now) {
        return InFlight.none(now).plus(Math.min(used, tokens)).words();
    }

    /**
     * What is in flight stays in flight, even more than this limit admits. What another algorithm counted has passed, and
     * nobody would release it.
     */
    @Override
    public long[] carryOver(LimitAlgorithm earlier, long[] state, Moment now) {
        return InFlight.of(earlier, state, now).words();
    }

    @Override
    public long[] depart(long[] state, Moment now) {
        return InFlight.of(state).departing(now).words();
    }

    @Override
    public long[] arrive(long[] departed, Moment now) {
        if (departed.length != InFlight.WORDS || departed[0] < 0) {
            throw new IllegalArgumentException("concurrency arrives as a number of tokens in flight and the nanoseconds"
                    + " since they are counted, not as " + departed.length + " words");
        }
        return InFlight.arrived(departed, now).words();
    }

    @Override
    public long[] tighter(long[] one, long[] other, Moment now) {
        return InFlight.of(one).tokens() >= InFlight.of(other).tokens() ? one : other;
    }
}
