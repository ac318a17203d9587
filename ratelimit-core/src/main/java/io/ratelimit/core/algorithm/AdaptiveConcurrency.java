package io.ratelimit.core.algorithm;

import com.google.common.primitives.Ints;
import io.ratelimit.LimitState;
import io.ratelimit.rules.Limit;

/**
 * So many tokens in requests that are under way, where the number is learned from response times: it falls while they
 * grow under load, and rises while they stay. Netflix concurrency-limits learns it ({@code Gradient2Limit}) from the mean
 * of all responses in a window of 1 second to 1 minute, twice the fastest response in it; a window of fewer than 10
 * responses, and a response within 100 microseconds, teach nothing.
 *
 * <p>Unlike the other algorithms this one is not pure: the number belongs to the object, one for the limit as a whole
 * and not one for each client, so that the limit's key should be {@code service}. {@link #release}, which ends a request,
 * teaches it; call that once for each request, not again when a compare-and-set fails. Safe for use by any thread.
 *
 * <p>The state is {@link InFlight} and when the last of its tokens were admitted. The receipt of a charge is the state
 * after it, which tells when its request began and how much was in flight with it.
 */
public final class AdaptiveConcurrency implements LimitAlgorithm {

    /** The most tokens in flight that are learned where the limit does not set a higher number. */
    public static final int USUAL_BOUND = 1_000;

    private static final int ADMITTED_AT = InFlight.WORDS;
    private static final int WORDS = ADMITTED_AT + 1;

    private final int bound;
    private final LearnedLimit learned;

    private AdaptiveConcurrency(int bound, LearnedLimit learned) {
        this.bound = bound;
        this.learned = learned;
    }

    /**
     * The arithmetic of a limit that has learned nothing yet.
     *
     * @param limit a limit of {@code concurrency} that is adaptive: the tokens are where it starts, a burst above them is
     *     the most that it may come to; without one that is {@value #USUAL_BOUND}, or the tokens if they are more
     * @return the arithmetic
     * @throws IllegalArgumentException if the limit starts at no tokens or is beyond the range of an {@code int}, or if
     *     the library that learns is missing
     */
    public static AdaptiveConcurrency of(Limit limit) {
        if (limit.isBlocked()) {
            throw new IllegalArgumentException(
                    "an adaptive limit starts at 1 token or more, not 0: to refuse always, leave out adaptive");
        }
        boolean ownBound = limit.capacity() > limit.tokens();
        long bound = ownBound ? limit.capacity() : Math.max(USUAL_BOUND, limit.tokens());
        if (bound > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "an adaptive limit learns at most " + Integer.MAX_VALUE + " tokens in flight, not " + bound);
        }
        try {
            LearnedLimit learned = LearnedLimit.between(Ints.checkedCast(limit.tokens()), (int) bound);
            return new AdaptiveConcurrency((int) bound, learned);
        } catch (NoClassDefFoundError e) {
            throw new IllegalArgumentException(
                    "an adaptive limit needs a library that is not on the class path: add"
                            + " com.netflix.concurrency-limits:concurrency-limits-core, or leave out adaptive",
                    e);
        }
    }

    /**
     * This limit, which takes the place of an earlier one, with what that has learned.
     *
     * @param earlier the limit of the rules that were in force
     * @return a limit with this one's bound; it goes on to learn together with the earlier one if both have the same
     *     bound, and otherwise starts at the number that the earlier one has reached
     */
    public AdaptiveConcurrency continuing(AdaptiveConcurrency earlier) {
        return new AdaptiveConcurrency(
                bound,
                bound == earlier.bound
                        ? earlier.learned
                        : LearnedLimit.between(Math.min(earlier.learned.tokens(), bound), bound));
    }

    /**
     * What has been learned.
     *
     * @return the tokens that may be in flight now, between 1 and the {@linkplain #capacity bound}
     */
    public int learnedTokens() {
        return learned.tokens();
    }

    /** The most that can be learned. */
    @Override
    public long capacity() {
        return bound;
    }

    @Override
    public boolean countsInFlight() {
        return true;
    }

    @Override
    public long[] full(Moment now) {
        return InFlight.none(now).words(now.nanos());
    }

    @Override
    public long fullNanos(long[] state, Moment now) {
        return InFlight.of(state).tokens() == 0 ? 0 : NOT_BY_WAITING;
    }

    /**
     * No wait is ever named: nobody knows when a request ends. A request that is alone is admitted up to the bound: where
     * all cost more than the number has fallen to, it could never rise again.
     */
    @Override
    public long waitNanos(long[] state, Moment now, long cost) {
        long most = InFlight.of(state).tokens() == 0 ? bound : remaining(state, now);
        return cost <= most ? 0 : LimitState.NEVER;
    }

    @Override
    public long[] spend(long[] state, Moment now, long cost) {
        return InFlight.of(state).plus(cost).words(now.nanos());
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

    /** A request that never ran teaches nothing. */
    @Override
    public long[] undo(long[] state, Moment now, long cost, long[] receipt) {
        InFlight inFlight = InFlight.of(state);
        return inFlight.counts(receipt) ? inFlight.minus(cost).words(state[ADMITTED_AT]) : state;
    }

    /** Learns from the time that the request took, and gives back what it held. */
    @Override
    public long[] release(long[] state, Moment now, long cost, long[] receipt) {
        // A request that began under a fixed limit did not note when; one that cost nothing noted nothing.
        if (receipt.length == WORDS && cost > 0) {
            long inFlight = InFlight.of(receipt).tokens();
            learned.learn(receipt[ADMITTED_AT], now.nanos(), Ints.saturatedCast(inFlight));
        }
        return undo(state, now, cost, receipt);
    }

    @Override
    public long remaining(long[] state, Moment now) {
        return Math.max(0, learned.tokens() - InFlight.of(state).tokens());
    }

    @Override
    public long nextTokenNanos(long[] state, Moment now) {
        return 0;
    }

    @Override
    public long[] ofUsed(long used, Moment now) {
        return InFlight.none(now).plus(Math.min(used, bound)).words(now.nanos());
    }

    /** What is in flight stays in flight. What another algorithm counted has passed, and nobody would release it. */
    @Override
    public long[] carryOver(LimitAlgorithm earlier, long[] state, Moment now) {
        return InFlight.of(earlier, state, now).words(now.nanos());
    }

    @Override
    public long[] depart(long[] state, Moment now) {
        return InFlight.of(state).departing(now).words(now.nanos() - state[ADMITTED_AT]);
    }

    @Override
    public long[] arrive(long[] departed, Moment now) {
        if (departed.length != WORDS || departed[0] < 0) {
            throw new IllegalArgumentException("adaptive concurrency arrives as a number of tokens in flight and the"
                    + " nanoseconds since they are counted and were admitted, not as " + departed.length + " words");
        }
        return InFlight.arrived(departed, now).words(now.nanos() - departed[ADMITTED_AT]);
    }

    @Override
    public long[] tighter(long[] one, long[] other, Moment now) {
        return InFlight.of(one).tokens() >= InFlight.of(other).tokens() ? one : other;
    }
}
