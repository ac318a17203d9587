package io.ratelimit.core.algorithm;

import io.ratelimit.LimitState;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.Refill;

/**
 * One limit's way of counting: pure arithmetic on a state and a time, without a clock, a lock or I/O. A state is what one
 * client has used; it is an array of words whose meaning and number only the algorithm knows, and which nobody writes
 * to: what changes a state returns another one.
 *
 * <p>Costs and tokens are whole tokens, at least 0. Exact over the range that is accepted: never over the limit's
 * definition and never under it. Times may step back a little, since threads read the clock before they read the state;
 * a state never moves back with them. Immutable; safe for use by any thread.
 */
public interface LimitAlgorithm {

    /** What {@link #fullNanos} answers where time alone does not fill the bucket. */
    long NOT_BY_WAITING = Long.MAX_VALUE;

    /** The unit of a clock that is as exact as a {@link Moment}. */
    long NANOSECOND = 1;

    /**
     * The algorithm of a limit.
     *
     * @param limit the limit
     * @return its arithmetic
     * @throws IllegalArgumentException if the limit cannot be counted exactly; the message says what would be right
     */
    static LimitAlgorithm of(Limit limit) {
        return of(limit, NANOSECOND);
    }

    /**
     * The algorithm of a limit where time is known less exactly.
     *
     * @param limit the limit
     * @param tickNanos the unit of the clock in nanoseconds: 1, 1,000 or 1,000,000
     * @return its arithmetic, whose waits are whole units where tokens come back evenly
     * @throws IllegalArgumentException if the limit cannot be counted exactly; the message says what would be right
     */
    static LimitAlgorithm of(Limit limit, long tickNanos) {
        if (limit.isBlocked()) {
            return TokenBucket.of(limit, NANOSECOND);
        }
        LimitOptions options = limit.options();
        LimitAlgorithm algorithm = plain(limit, tickNanos);
        // Always in this order, in which a reload finds the options again.
        if (!options.minInterval().isZero()) {
            algorithm = new Spaced(algorithm, options.minInterval());
        }
        if (options.chargeRefused()) {
            algorithm = new ChargedRefusals(algorithm);
        }
        return options.penalty() == null ? algorithm : new Penalised(algorithm, options.penalty(), limit.period());
    }

    private static LimitAlgorithm plain(Limit limit, long tickNanos) {
        boolean byInterval = limit.options().refill() == Refill.INTERVAL;
        return switch (limit.algorithm()) {
            case TOKEN_BUCKET -> byInterval ? IntervalBucket.of(limit) : TokenBucket.of(limit, tickNanos);
            case LEAKY_BUCKET, GCRA -> TokenBucket.of(limit, tickNanos);
            case FIXED_WINDOW -> IntervalBucket.of(limit);
            case SLIDING_WINDOW_LOG -> SlidingWindowLog.of(limit);
            case SLIDING_WINDOW_COUNTER -> SlidingWindowCounter.of(limit);
            case CONCURRENCY -> limit.options().adaptive() ? AdaptiveConcurrency.of(limit) : Concurrency.of(limit);
            case WARM_UP -> WarmUp.of(limit);
        };
    }

    /**
     * The most tokens that a client can have.
     *
     * @return at least 0
     */
    long capacity();

    /**
     * Whether all states have the same number of words.
     *
     * @return false where the number grows with what was spent
     */
    default boolean hasFixedState() {
        return true;
    }

    /**
     * The state of a client that has used nothing, which is the same as none.
     *
     * @param now the time
     * @return the state
     */
    long[] full(Moment now);

    /**
     * The time after which a state is the same as a full one if nobody spends meanwhile.
     *
     * @param state the state
     * @param now the time
     * @return nanoseconds, rounded up; 0 for a full one; {@link #NOT_BY_WAITING} where only refunds fill it
     */
    long fullNanos(long[] state, Moment now);

    /**
     * Whether a client has nothing outstanding, so that its state may be forgotten.
     *
     * @param state the state
     * @param now the time
     * @return true if it is the same as a full one
     */
    default boolean isFull(long[] state, Moment now) {
        return fullNanos(state, now) == 0;
    }

    /**
     * A state as it is to be kept now. Where states are points on a circle, one that became full long ago would look used
     * again, so it is replaced by what full means now.
     *
     * @param state the state
     * @param written when it was written
     * @param now the time
     * @return the state to go on with
     */
    default long[] refresh(long[] state, Moment written, Moment now) {
        return state;
    }

    /**
     * The time after which a cost is admitted if nobody else spends meanwhile.
     *
     * @param state the state
     * @param now the time
     * @param cost tokens, at least 0
     * @return nanoseconds, rounded up; 0 if it is admitted now, as a cost of 0 always is; {@link LimitState#NEVER} if no
     *     waiting can help
     */
    long waitNanos(long[] state, Moment now, long cost);

    /**
     * Whether a cost can be spent.
     *
     * @param state the state
     * @param now the time
     * @param cost tokens, at least 0
     * @return true if there is nothing to wait for
     */
    default boolean admits(long[] state, Moment now, long cost) {
        return waitNanos(state, now, cost) == 0;
    }

    /**
     * Spends tokens.
     *
     * @param state the state
     * @param now the time
     * @param cost tokens, at least 1, that are {@linkplain #admits admitted}, or whose {@linkplain #waitNanos wait} is
     *     at most the {@linkplain #longestTurnNanos longest turn}
     * @return the new state
     */
    long[] spend(long[] state, Moment now, long cost);

    /**
     * How far ahead tokens can be spent, so that requests wait their turn in order: a later one waits for those before.
     *
     * @return nanoseconds; 0 where only tokens that are there can be spent
     */
    default long longestTurnNanos() {
        return 0;
    }

    /**
     * Whether a cost is admitted by one who would wait for it.
     *
     * @param waitNanos the cost's {@linkplain #waitNanos wait}
     * @param maxWaitNanos how long the tokens may take to come, at least 0
     * @return true if it can be {@linkplain #spend spent}
     */
    default boolean isGranted(long waitNanos, long maxWaitNanos) {
        return waitNanos != LimitState.NEVER && waitNanos <= Math.min(maxWaitNanos, longestTurnNanos());
    }

    /**
     * The same limit, on the same states, for what a request costs beyond what it was admitted with: nothing that concerns
     * requests as such counts, like the least time between two of them.
     *
     * @return the arithmetic of such costs
     */
    default LimitAlgorithm forMore() {
        return this;
    }

    /**
     * Whether tokens come back when a request ends instead of with time.
     *
     * @return true for requests that are counted until they are {@linkplain #release released}
     */
    default boolean countsInFlight() {
        return false;
    }

    /**
     * Counts a cost that is not admitted as if it had passed. Leaves no debt: at the most, nothing remains.
     *
     * @param state the state
     * @param now the time
     * @param cost tokens, at least 1
     * @return the new state
     */
    long[] spendRefused(long[] state, Moment now, long cost);

    /**
     * What becomes of a state when its limit refuses a cost: nothing, unless the limit's options say so.
     *
     * @param state the state
     * @param now the time
     * @param cost tokens, at least 1
     * @return the new state, or the same array where nothing changes
     */
    default long[] refuse(long[] state, Moment now, long cost) {
        return state;
    }

    /**
     * What {@link #refund}, {@link #undo} and {@link #release} must know of a charge.
     *
     * @param before the state that the charge found
     * @param after the state that it left
     * @return words that only this limit understands
     */
    default long[] receipt(long[] before, long[] after) {
        return after;
    }

    /**
     * Takes note of a refund, for the receipts of other charges.
     *
     * @param known what was given back before
     * @param receipt the receipt of the charge that was given back, in whole or in part, as it was made
     * @param totalThen what had been given {@linkplain GivenBack#total() back in all} when it was made
     * @param before the state that the refund found
     * @param after the state that it left
     * @param now the time
     * @return what is known now; the same where other receipts need not know
     */
    default GivenBack noted(GivenBack known, long[] receipt, long totalThen, long[] before, long[] after, Moment now) {
        return known;
    }

    /**
     * The receipt to give back by, once other charges were given back.
     *
     * @param receipt the receipt as it was made
     * @param charged when that was
     * @param totalThen what had been given {@linkplain GivenBack#total() back in all} when it was made
     * @param known what has been given back by now
     * @param now the time
     * @return the receipt of a charge that comes back earlier, if it does
     */
    default long[] moved(long[] receipt, Moment charged, long totalThen, GivenBack known, Moment now) {
        return receipt;
    }

    /**
     * What the places of charges in line are counted from on this clock, for what is known of refunds to travel.
     *
     * @param now the time
     * @return the place of a full bucket; 0 where {@link #noted} knows nothing
     */
    default long place(Moment now) {
        return 0;
    }

    /**
     * A receipt as it can travel to a keeper whose clock has another origin.
     *
     * @param receipt the receipt
     * @param charged the time of the charge on this clock
     * @return words that say how far the receipt lies from the charge
     */
    default long[] departReceipt(long[] receipt, Moment charged) {
        return depart(receipt, charged);
    }

    /**
     * The receipt that has arrived: the inverse of {@link #departReceipt}.
     *
     * @param departed words of {@code departReceipt}, of a limit that counts alike
     * @param charged the time of the charge on this clock, which may lie before its origin
     * @param now the time on this clock
     * @return the receipt
     * @throws IllegalArgumentException if the words are none of this algorithm
     */
    default long[] arriveReceipt(long[] departed, Moment charged, Moment now) {
        return arrive(departed, charged);
    }

    /**
     * Gives tokens of an earlier charge back, at most what it still holds: the part of them that has not come back by
     * itself, so that no more is ever there than without the charge. A request that is counted while it is under way
     * stays counted.
     *
     * @param state the state
     * @param now the time
     * @param tokens tokens of the charge to give back
     * @param receipt the charge's {@linkplain #receipt receipt}
     * @return the new state
     */
    long[] refund(long[] state, Moment now, long tokens, long[] receipt);

    /**
     * Takes an earlier charge back as if it had never been made: what {@link #refund} gives back, and what the charge
     * did beside spending tokens.
     *
     * @param state the state
     * @param now the time
     * @param tokens the charge's tokens, without those that were refunded before; all of them where it is counted until it
     *     is released
     * @param receipt the charge's {@linkplain #receipt receipt}
     * @return the new state
     */
    default long[] undo(long[] state, Moment now, long tokens, long[] receipt) {
        return refund(state, now, tokens, receipt);
    }

    /**
     * Ends a request that was counted while it was under way.
     *
     * @param state the state
     * @param now the time
     * @param cost the charge's tokens
     * @param receipt the charge's {@linkplain #receipt receipt}, of this limit or of an earlier one which
     *     {@linkplain #countsInFlight counts in flight} too
     * @return the new state; the same where only time brings tokens back
     */
    default long[] release(long[] state, Moment now, long cost, long[] receipt) {
        return state;
    }

    /**
     * Tokens that can be spent now.
     *
     * @param state the state
     * @param now the time
     * @return between 0 and the capacity, rounded down; every cost up to it is admitted, once a least time between two
     *     requests has passed
     */
    long remaining(long[] state, Moment now);

    /**
     * The time until one more token remains.
     *
     * @param state the state
     * @param now the time
     * @return nanoseconds, rounded up; 0 where all remain, or where time alone brings none
     */
    long nextTokenNanos(long[] state, Moment now);

    /**
     * The state in which so many tokens are used, as if they had been spent just now.
     *
     * @param tokens tokens; more than the capacity counts as the capacity
     * @param now the time
     * @return the state
     */
    long[] ofUsed(long tokens, Moment now);

    /**
     * The state that continues another one after its limit was changed: the tokens used there, rounded up, stay used
     * here, at most the capacity. Where both count alike, they also come back when they would have.
     *
     * @param earlier how the earlier limit counted
     * @param state the state under it
     * @param now the time
     * @return this limit's state
     */
    default long[] carryOver(LimitAlgorithm earlier, long[] state, Moment now) {
        return ofUsed(earlier.capacity() - earlier.remaining(state, now), now);
    }

    /**
     * A state as it can travel to a keeper whose clock has another origin.
     *
     * @param state the state
     * @param now the time on this clock
     * @return words that say how far the state lies from now
     */
    long[] depart(long[] state, Moment now);

    /**
     * The state that has arrived: the inverse of {@link #depart}.
     *
     * @param departed words of {@code depart}, of a limit that counts alike
     * @param now the time on this clock
     * @return the state
     * @throws IllegalArgumentException if the words are none of this algorithm
     */
    long[] arrive(long[] departed, Moment now);

    /**
     * The state of a client that another keeper {@linkplain #describe described}. What a description leaves open counts
     * as used.
     *
     * @param seen the description, under the same limit
     * @param now the time
     * @return the state
     */
    default long[] ofSeen(LimitState seen, Moment now) {
        return ofUsed(capacity() - Math.min(seen.remaining(), capacity()), now);
    }

    /**
     * The state that lets the least pass of two, seen by two keepers of the same client under this limit.
     *
     * @param one a state
     * @param other another one
     * @param now the time
     * @return one of them, or what both have in common
     */
    default long[] tighter(long[] one, long[] other, Moment now) {
        long left = remaining(one, now);
        long right = remaining(other, now);
        boolean oneIsTighter = left != right ? left < right : fullNanos(one, now) >= fullNanos(other, now);
        return oneIsTighter ? one : other;
    }

    /**
     * What a state says after a charge was tried.
     *
     * @param state the state, after the charge if it was spent
     * @param now the time
     * @param waitNanos the wait of the charge: 0 if it was admitted
     * @return tokens left and waits
     */
    default LimitState describe(long[] state, Moment now, long waitNanos) {
        return new LimitState(remaining(state, now), waitNanos, nextTokenNanos(state, now));
    }
}
