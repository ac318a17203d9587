package io.ratelimit.core.algorithm;

import io.ratelimit.LimitState;
import io.ratelimit.rules.Limit;

/**
 * So many tokens in requests that are under way. The state is one word: the tokens in flight. Nothing comes back by
 * time; {@link #refund} releases what a request holds when it ends.
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
        return new long[] {0};
    }

    @Override
    public long fullNanos(long[] state, Moment now) {
        return state[0] == 0 ? 0 : NOT_BY_WAITING;
    }

    /** No wait is ever named: nobody knows when a request ends. */
    @Override
    public long waitNanos(long[] state, Moment now, long cost) {
        return cost <= remaining(state, now) ? 0 : LimitState.NEVER;
    }

    @Override
    public long[] spend(long[] state, Moment now, long cost) {
        return new long[] {state[0] + cost};
    }

    /** A refused request is not under way, and nobody would release it. */
    @Override
    public long[] spendRefused(long[] state, Moment now, long cost) {
        return state;
    }

    @Override
    public long[] refund(long[] state, Moment now, long released, long[] receipt) {
        return new long[] {Math.max(0, state[0] - released)};
    }

    @Override
    public long remaining(long[] state, Moment now) {
        return Math.max(0, tokens - state[0]);
    }

    @Override
    public long nextTokenNanos(long[] state, Moment now) {
        return 0;
    }

    @Override
    public long[] ofUsed(long used, Moment now) {
        return new long[] {Math.min(used, tokens)};
    }

    /**
     * What is in flight stays in flight, even more than this limit admits. What another algorithm counted has passed, and
     * nobody would release it.
     */
    @Override
    public long[] carryOver(LimitAlgorithm earlier, long[] state, Moment now) {
        return new long[] {Undecorated.of(earlier, state).inFlight()};
    }

    @Override
    public long[] depart(long[] state, Moment now) {
        return state;
    }

    @Override
    public long[] arrive(long[] departed, Moment now) {
        if (departed.length != 1 || departed[0] < 0) {
            throw new IllegalArgumentException(
                    "concurrency arrives as one number of tokens in flight, not as " + departed.length + " words");
        }
        return departed;
    }

    @Override
    public long[] tighter(long[] one, long[] other, Moment now) {
        return one[0] >= other[0] ? one : other;
    }
}
