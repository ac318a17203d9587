package io.ratelimit.core.algorithm;

import com.google.common.math.LongMath;
import io.ratelimit.LimitState;
import io.ratelimit.rules.Limit;
import java.math.RoundingMode;
import java.util.Arrays;

/**
 * An even rate that is a third of itself after a long pause and climbs while it is used, as Guava's
 * {@code RateLimiter.create(permitsPerSecond, warmupPeriod)} describes it (class {@code SmoothWarmingUp}, cold factor 3).
 * A request is admitted when the one before is paid for: its own cost is paid by the next.
 *
 * <p>A limit that rests stores permits, one for each stable interval, until the warm-up period has passed and it is
 * cold. Spending a stored permit takes the stable interval in the lower half of the store; in the upper half it takes
 * longer with each one, three intervals at the top, so that emptying the upper half takes the warm-up period. Written
 * with the store as the time w that it took to fill it, of at most W, the time that a cost takes is that of the stable
 * rate plus f(w before) - f(w after), where f(w) = (2w - W)² / 2W above W / 2 and 0 below.
 *
 * <p>As in {@link CellRate} the rate is reduced to p tokens per q nanoseconds, a nanosecond is worth p units and a token
 * q. The state is three words: the units stored, the next free time in whole nanoseconds, and the units that it lies
 * beyond them. Everything is exact but f, which is rounded down to a unit; since a cost takes the difference of two of
 * its values, that does not add up while the rate climbs.
 *
 * <p>The limit's tokens per period are the stable rate, its capacity the most that one request may cost. Either all of
 * that remains or nothing does.
 */
final class WarmUp implements LimitAlgorithm {

    private static final int STORED = 0;
    private static final int FREE = 1;
    private static final int BEYOND = 2;
    private static final int WORDS = 3;

    /**
     * The most units that a store or a cost may have, so that sums of a few of them fit a {@code long}: at the least 36
     * years, of which a unit is a nanosecond.
     */
    private static final long MOST_UNITS = 1L << 60;

    private static final long LONGEST_NANOS = Limit.LONGEST_PERIOD.toNanos();

    private final long unitsPerNano;
    private final long unitsPerToken;
    private final long coldUnits;
    private final long capacity;
    private final boolean paysLater;

    private WarmUp(long unitsPerNano, long unitsPerToken, long coldUnits, long capacity, boolean paysLater) {
        this.unitsPerNano = unitsPerNano;
        this.unitsPerToken = unitsPerToken;
        this.coldUnits = coldUnits;
        this.capacity = capacity;
        this.paysLater = paysLater;
    }

    /**
     * The arithmetic of a limit.
     *
     * @param limit a limit of {@code warm-up}
     * @return the arithmetic
     * @throws IllegalArgumentException if the limit cannot be counted exactly because its numbers are too large
     */
    public static WarmUp of(Limit limit) {
        if (limit.isBlocked()) {
            return new WarmUp(1, 1, 1, 0, false);
        }
        long divisor = LongMath.gcd(limit.tokens(), limit.period().toNanos());
        long unitsPerNano = limit.tokens() / divisor;
        long unitsPerToken = limit.period().toNanos() / divisor;
        long coldUnits = LongMath.saturatedMultiply(limit.options().warmUp().toNanos(), unitsPerNano);
        long dearest = LongMath.saturatedMultiply(limit.capacity(), unitsPerToken);
        if (coldUnits > MOST_UNITS || dearest > MOST_UNITS) {
            throw new IllegalArgumentException("the limit is beyond exact arithmetic: use fewer tokens, a smaller"
                    + " burst, a shorter warmUp, or a period and a number of tokens with a common divisor");
        }
        return new WarmUp(unitsPerNano, unitsPerToken, coldUnits, limit.capacity(), false);
    }

    @Override
    public long capacity() {
        return capacity;
    }

    @Override
    public long[] full(Moment now) {
        return new long[] {coldUnits, now.nanos(), 0};
    }

    /** The time after which a state is as cold as a new one. */
    @Override
    public long fullNanos(long[] state, Moment now) {
        long units = state[BEYOND] + coldUnits - state[STORED];
        return Math.max(0, state[FREE] - now.nanos() + ceilNanos(units));
    }

    @Override
    public long waitNanos(long[] state, Moment now, long cost) {
        if (cost == 0) {
            return 0;
        }
        return cost > capacity ? LimitState.NEVER : paysLater ? 0 : untilFree(state, now);
    }

    /** The next request pays for what this one costs, so that more of it makes only that one wait longer. */
    @Override
    public LimitAlgorithm forMore() {
        return new WarmUp(unitsPerNano, unitsPerToken, coldUnits, capacity, true);
    }

    @Override
    public long[] spend(long[] state, Moment now, long cost) {
        long[] rested = rested(state, now);
        long warmer = Math.max(0, rested[STORED] - cost * unitsPerToken);
        return stateOf(warmer, rested[FREE], rested[BEYOND] + costUnits(rested[STORED], cost));
    }

    @Override
    public long longestTurnNanos() {
        return LONGEST_NANOS - dearestNanos();
    }

    /** What is refused did no work, so it warms nothing up. */
    @Override
    public long[] spendRefused(long[] state, Moment now, long cost) {
        long[] rested = rested(state, now);
        long units = costUnits(rested[STORED], Math.min(cost, capacity));
        return later(rested, stateOf(rested[STORED], now.nanos(), units));
    }

    /**
     * Takes a charge back whose time has not all passed: as if the limit had rested instead, and had spent only now what
     * it spent since. So nobody is served earlier than if the charge had not been made, unless the charge, by warming the
     * limit up, has brought later turns forward; those stay.
     */
    @Override
    public long[] refund(long[] state, Moment now, long tokens, long[] receipt) {
        long held = unitsAhead(receipt, now);
        if (held <= 0) {
            return state;
        }
        long units = tokens * unitsPerToken;
        long after = receipt[STORED];
        long before = Math.min(coldUnits, after + units);
        long dearest = units + climb(before) - climb(after);
        // An emptied store does not tell how much of the charge came from it: as little as this may have to come back.
        long cheapest = after == 0 ? units : dearest;
        long rested = Math.min(coldUnits, before + Math.max(0, dearest - held));
        long spentSince = LongMath.saturatedAdd(
                LongMath.saturatedMultiply(state[FREE] - receipt[FREE], unitsPerNano),
                state[BEYOND] - receipt[BEYOND] - climb(after) + climb(state[STORED]));
        long stored = Math.max(0, Math.min(coldUnits, LongMath.saturatedSubtract(rested, spentSince)));
        long back = Math.min(cheapest, held) + climb(after) - climb(state[STORED]) - climb(rested) + climb(stored);
        return back <= 0 ? state : stateOf(stored, state[FREE], state[BEYOND] - Math.min(back, unitsAhead(state, now)));
    }

    /** The state as the charge left it, and as it found it. */
    @Override
    public long[] receipt(long[] before, long[] after) {
        long[] both = Arrays.copyOf(after, 2 * WORDS);
        System.arraycopy(before, 0, both, WORDS, WORDS);
        return both;
    }

    /** Exact where nothing was charged since: then the limit is as warm, and as soon free, as if there had been nothing. */
    @Override
    public long[] undo(long[] state, Moment now, long tokens, long[] receipt) {
        boolean isLast = Arrays.equals(state, 0, WORDS, receipt, 0, WORDS);
        return isLast ? Arrays.copyOfRange(receipt, WORDS, 2 * WORDS) : refund(state, now, tokens, receipt);
    }

    @Override
    public long remaining(long[] state, Moment now) {
        return untilFree(state, now) == 0 ? capacity : 0;
    }

    @Override
    public long nextTokenNanos(long[] state, Moment now) {
        return untilFree(state, now);
    }

    @Override
    public long[] ofUsed(long tokens, Moment now) {
        long used = Math.min(tokens, capacity);
        return used == 0 ? full(now) : spend(full(now), now, used);
    }

    /** The next request's turn stays, at most as far off as a new limit could be; and it stays as warm as it was. */
    @Override
    public long[] carryOver(LimitAlgorithm earlier, long[] state, Moment now) {
        Undecorated before = Undecorated.of(earlier, state);
        if (!(before.algorithm() instanceof WarmUp other)) {
            return LimitAlgorithm.super.carryOver(before.algorithm(), before.state(), now);
        }
        long[] rested = other.rested(before.state(), now);
        long stored = WideProduct.of(rested[STORED], coldUnits).dividedBy(other.coldUnits);
        long turn = Math.min(untilFree(rested, now), dearestNanos());
        return new long[] {stored, now.nanos() + turn, 0};
    }

    @Override
    public long[] depart(long[] state, Moment now) {
        long[] rested = rested(state, now);
        return new long[] {rested[STORED], rested[FREE] - now.nanos(), rested[BEYOND]};
    }

    @Override
    public long[] arrive(long[] departed, Moment now) {
        if (departed.length != WORDS
                || !isWithin(departed[STORED], coldUnits)
                || departed[FREE] < 0
                || !isWithin(departed[BEYOND], unitsPerNano - 1)) {
            throw new IllegalArgumentException("a warm-up arrives as at most " + coldUnits
                    + " units, nanoseconds from now, and less than " + unitsPerNano + " units beyond them");
        }
        return new long[] {departed[STORED], now.nanos() + departed[FREE], departed[BEYOND]};
    }

    /** A description does not tell how warm a limit is: it counts as cold. */
    @Override
    public long[] ofSeen(LimitState seen, Moment now) {
        return new long[] {coldUnits, now.nanos() + Math.min(seen.nextTokenNanos(), dearestNanos()), 0};
    }

    /** The state that a limit has reached by resting until now; the same one if it is not free yet. */
    private long[] rested(long[] state, Moment now) {
        long nanos = now.nanos() - state[FREE];
        if (nanos <= 0) {
            return state;
        }
        boolean longEnough = nanos > coldUnits / unitsPerNano;
        long units = longEnough ? coldUnits : nanos * unitsPerNano - state[BEYOND];
        return new long[] {Math.min(coldUnits, state[STORED] + units), now.nanos(), 0};
    }

    private long costUnits(long stored, long cost) {
        long units = cost * unitsPerToken;
        return units + climb(stored) - climb(Math.max(0, stored - units));
    }

    /** What emptying a store takes longer than at the stable rate. */
    private long climb(long stored) {
        long above = 2 * stored - coldUnits;
        return above <= 0 ? 0 : WideProduct.of(above, above).dividedBy(2 * coldUnits);
    }

    /** How long the dearest request can take: all of the capacity, and the whole climb. */
    private long dearestNanos() {
        return ceilNanos(capacity * unitsPerToken + climb(coldUnits));
    }

    /** How far a state's next free time lies ahead, in units, up to what a cost can reach; negative if it has passed. */
    private long unitsAhead(long[] state, Moment now) {
        long nanos = state[FREE] - now.nanos();
        return nanos > dearestNanos() ? Long.MAX_VALUE : Math.max(nanos, -1) * unitsPerNano + state[BEYOND];
    }

    private long[] stateOf(long stored, long free, long beyond) {
        long nanos = LongMath.saturatedAdd(free, Math.floorDiv(beyond, unitsPerNano));
        return new long[] {stored, nanos, Math.floorMod(beyond, unitsPerNano)};
    }

    private static long untilFree(long[] state, Moment now) {
        return Math.max(0, state[FREE] + (state[BEYOND] > 0 ? 1 : 0) - now.nanos());
    }

    private static long[] later(long[] one, long[] other) {
        boolean oneIsLater = one[FREE] != other[FREE] ? one[FREE] > other[FREE] : one[BEYOND] >= other[BEYOND];
        return oneIsLater ? one : other;
    }

    private static boolean isWithin(long value, long most) {
        return value >= 0 && value <= most;
    }

    private long ceilNanos(long units) {
        return LongMath.divide(units, unitsPerNano, RoundingMode.CEILING);
    }
}
