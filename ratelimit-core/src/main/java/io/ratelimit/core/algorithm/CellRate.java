package io.ratelimit.core.algorithm;

import com.google.common.math.LongMath;
import io.ratelimit.LimitState;
import io.ratelimit.rules.Limit;
import java.math.BigInteger;
import java.util.Objects;

/**
 * A token bucket that refills evenly, and whose whole state is one {@code long}: the time at which it will be full,
 * after the generic cell rate algorithm (ITU-T I.371, annex A, where that time is called the theoretical arrival time).
 * {@link TokenBucket} is the same behind the seam of all algorithms.
 *
 * <p>The rate is reduced to p tokens per q ticks. A tick is then worth p units and a token q units, so that everything
 * but the clock (rounded down to ticks) and the waits (rounded up) is exact. A tick is the first of a nanosecond, a
 * microsecond and a millisecond at which the numbers fit. States are compared modulo 2^63, which leaves a bit of the
 * word to whoever keeps the state.
 *
 * <p>Times are nanoseconds since an origin that the keeper of the state chooses, at least 0. Costs and tokens are whole
 * tokens. Immutable; safe for use by any thread.
 */
public final class CellRate {

    /** The most units that a bucket may hold: a quarter of the circle that states are compared on. */
    private static final long MOST_UNITS = 1L << 61;

    /**
     * How long it must take to earn {@link #MOST_UNITS}. Whoever keeps states must forget full buckets within three
     * times this time, before the circle closes and a full bucket looks used again.
     */
    private static final long SHORTEST_HORIZON_NANOS = 1_800_000_000_000L;

    /** A bucket that took longer to fill would make waits that no {@code long} of nanoseconds holds. */
    private static final BigInteger LONGEST_FILL_NANOS = BigInteger.valueOf(Limit.LONGEST_PERIOD.toNanos());

    private static final long[] TICKS = {1, 1_000, 1_000_000};

    private final long unitsPerTick;
    private final long unitsPerToken;
    private final long nanosPerTick;
    private final long capacity;

    private CellRate(long unitsPerTick, long unitsPerToken, long nanosPerTick, long capacity) {
        this.unitsPerTick = unitsPerTick;
        this.unitsPerToken = unitsPerToken;
        this.nanosPerTick = nanosPerTick;
        this.capacity = capacity;
    }

    /**
     * The bucket of a limit.
     *
     * @param limit a limit of {@code token-bucket}, {@code leaky-bucket} or {@code gcra}, which decide alike
     * @return the bucket
     * @throws IllegalArgumentException if the limit cannot be counted exactly: its rate or its capacity is too large
     *     for its period, or it takes more than {@link Limit#LONGEST_PERIOD} to fill
     */
    public static CellRate of(Limit limit) {
        return of(limit, TICKS[0]);
    }

    /**
     * The bucket of a limit where time is known less exactly.
     *
     * @param limit a limit of {@code token-bucket}, {@code leaky-bucket} or {@code gcra}, which decide alike
     * @param leastTickNanos the shortest tick, in nanoseconds
     * @return the bucket
     * @throws IllegalArgumentException as by {@link #of(Limit)}
     */
    static CellRate of(Limit limit, long leastTickNanos) {
        if (limit.isBlocked()) {
            return new CellRate(1, 1, 1, 0);
        }
        BigInteger period = BigInteger.valueOf(limit.period().toNanos());
        BigInteger fill = period.multiply(BigInteger.valueOf(limit.capacity()));
        if (fill.compareTo(LONGEST_FILL_NANOS.multiply(BigInteger.valueOf(limit.tokens()))) > 0) {
            throw new IllegalArgumentException("the limit takes more than " + Limit.LONGEST_PERIOD.toDays()
                    + " days to fill: use a smaller burst or a higher rate");
        }
        for (long nanosPerTick : TICKS) {
            if (nanosPerTick < leastTickNanos) {
                continue;
            }
            BigInteger tokens = BigInteger.valueOf(limit.tokens()).multiply(BigInteger.valueOf(nanosPerTick));
            BigInteger divisor = tokens.gcd(period);
            BigInteger unitsPerTick = tokens.divide(divisor);
            BigInteger unitsPerToken = period.divide(divisor);
            boolean isLong = unitsPerTick.bitLength() < Long.SIZE;
            if (isLong && fits(unitsPerTick.longValue(), unitsPerToken.longValue(), nanosPerTick, limit.capacity())) {
                return new CellRate(
                        unitsPerTick.longValue(), unitsPerToken.longValue(), nanosPerTick, limit.capacity());
            }
        }
        throw new IllegalArgumentException("the limit is beyond exact arithmetic: use fewer tokens, a smaller"
                + " burst, or a period and a number of tokens with a common divisor");
    }

    private static boolean fits(long unitsPerTick, long unitsPerToken, long nanosPerTick, long capacity) {
        long held = LongMath.saturatedMultiply(unitsPerToken, capacity);
        long earnedInHorizon = LongMath.saturatedMultiply(unitsPerTick, SHORTEST_HORIZON_NANOS / nanosPerTick);
        return held <= MOST_UNITS && earnedInHorizon <= MOST_UNITS;
    }

    /**
     * The state of a full bucket.
     *
     * @param nanos the time
     * @return the state
     */
    public long full(long nanos) {
        // To divide takes as long as all the rest of a charge, and most limits count in nanoseconds.
        return (nanosPerTick == 1 ? nanos : nanos / nanosPerTick) * unitsPerTick;
    }

    /**
     * Whether a bucket is full, which is the same as none.
     *
     * @param state the bucket's state
     * @param nanos the time
     * @return true if nothing is missing
     */
    public boolean isFull(long state, long nanos) {
        return used(state, nanos) == 0;
    }

    /**
     * A state as it is to be kept now: one that has become full since may look used again once it comes round.
     *
     * @param state the bucket's state
     * @param writtenNanos when it was written
     * @param nanos the time
     * @return the state, or that of a full bucket
     */
    public long refresh(long state, long writtenNanos, long nanos) {
        return nanos - writtenNanos >= fullNanos(state, writtenNanos) ? full(nanos) : state;
    }

    /**
     * Whether a bucket holds enough tokens.
     *
     * @param state the bucket's state
     * @param nanos the time
     * @param cost tokens, at least 0
     * @return true if the cost can be spent; a cost of 0 always can
     */
    public boolean admits(long state, long nanos, long cost) {
        if (cost == 0) {
            return true;
        }
        return cost <= capacity && used(state, nanos) <= (capacity - cost) * unitsPerToken;
    }

    /**
     * Spends tokens that the bucket holds, or that it will.
     *
     * @param state the bucket's state
     * @param nanos the time
     * @param cost tokens that the bucket {@linkplain #admits admits}, or whose {@linkplain #waitNanos wait} is at most
     *     the {@linkplain #longestTurnNanos longest turn}
     * @return the bucket's new state
     */
    public long spend(long state, long nanos, long cost) {
        long now = full(nanos);
        return (distance(state, now) > 0 ? state : now) + cost * unitsPerToken;
    }

    /**
     * Spends tokens that the bucket does not hold: what it has.
     *
     * @param state the bucket's state
     * @param nanos the time
     * @return the state of an empty bucket; a debt stays
     */
    public long empty(long state, long nanos) {
        return full(nanos) + Math.max(used(state, nanos), capacity * unitsPerToken);
    }

    /**
     * Spends tokens that were spent elsewhere, whether the bucket holds them or not: what it does not hold is owed, and
     * paid back by waiting.
     *
     * @param state the state
     * @param nanos the time
     * @param ageNanos how long ago they were spent, at least 0
     * @param tokens the tokens
     * @param mostOwed tokens that may be owed at most; what is beyond is forgiven
     * @return the new state
     */
    public long owe(long state, long nanos, long ageNanos, long tokens, long mostOwed) {
        long now = full(nanos);
        long then = full(Math.max(0, nanos - ageNanos));
        // A bucket that begins just now, for a client who was unknown, was full before too.
        long from = state == now || distance(state, then) <= 0 ? then : state;
        long usedBefore = used(state, nanos);
        long after = from + Math.min(LongMath.saturatedMultiply(tokens, unitsPerToken), MOST_UNITS - usedBefore);
        if (distance(after, now) <= 0) {
            // Full again, and still known since when: what is told next may be as old.
            return after;
        }
        return now + Math.max(usedBefore, Math.min(used(after, nanos), most(mostOwed)));
    }

    /**
     * A state that somebody else has told.
     *
     * @param state the state
     * @param nanos the time
     * @param mostOwed tokens that may be owed at most
     * @return the state, or one that owes so many
     */
    public long owingAtMost(long state, long nanos, long mostOwed) {
        long most = most(mostOwed);
        return used(state, nanos) <= most ? state : full(nanos) + most;
    }

    /** In units: all that a bucket holds, and what may be owed. */
    private long most(long owed) {
        return Math.min(LongMath.saturatedMultiply(LongMath.saturatedAdd(capacity, owed), unitsPerToken), MOST_UNITS);
    }

    /**
     * How far ahead tokens can be spent.
     *
     * @return nanoseconds of refilling that the numbers have room for beyond a full bucket, at least 0
     */
    public long longestTurnNanos() {
        long ticks = (MOST_UNITS - capacity * unitsPerToken) / unitsPerTick;
        return LongMath.saturatedMultiply(ticks, nanosPerTick);
    }

    /**
     * Gives tokens of an earlier charge back, at most what it still holds: the part of them that has not refilled since
     * the charge, so that the bucket never holds more than it would without the charge. While tokens are owed, only the
     * latest charge is given back: those before it have turns that others come after, who would share them.
     *
     * @param state the bucket's state
     * @param nanos the time
     * @param tokens tokens of the charge to give back
     * @param stateAfterCharge the state that the charge left, {@linkplain #moved moved} by what was given back since
     * @return the bucket's new state
     */
    public long refund(long state, long nanos, long tokens, long stateAfterCharge) {
        long used = used(state, nanos);
        if (used > capacity * unitsPerToken && distance(state, stateAfterCharge) != 0) {
            return state;
        }
        long held = Math.min(tokens * unitsPerToken, used(stateAfterCharge, nanos));
        return full(nanos) + Math.max(0, used - held);
    }

    /**
     * Takes note of a refund, for the receipts of other charges.
     *
     * @param known what was given back before
     * @param stateAfterCharge the state that the refunded charge had left
     * @param totalThen what had been given back in all then
     * @param before the state that the refund found
     * @param after the state that it left
     * @param nanos the time
     * @return what is known now
     */
    public GivenBack noted(
            GivenBack known, long stateAfterCharge, long totalThen, long before, long after, long nanos) {
        long units = distance(before, after);
        return units <= 0 ? known : known.plus(stateAfterCharge, totalThen, units, full(nanos));
    }

    /**
     * Where a charge would have left the bucket without those before it that were given back since.
     *
     * @param stateAfterCharge the state that the charge left
     * @param chargedNanos when that was
     * @param totalThen what had been given back in all then
     * @param known what has been given back by now
     * @param nanos the time
     * @return the state to give back by
     */
    public long moved(long stateAfterCharge, long chargedNanos, long totalThen, GivenBack known, long nanos) {
        long before = Math.min(known.before(stateAfterCharge, totalThen), MOST_UNITS);
        return refresh(stateAfterCharge - before, chargedNanos, nanos);
    }

    /**
     * The state of this bucket that continues another one after its limit was changed: the tokens used there, rounded
     * up, stay used here, at most the capacity.
     *
     * @param other the bucket of the earlier limit
     * @param state its state
     * @param nanos the time
     * @return this bucket's state
     */
    public long carryOver(CellRate other, long state, long nanos) {
        return stateOfUsed(ceilDiv(other.used(state, nanos), other.unitsPerToken), nanos);
    }

    /**
     * The state of a bucket in which so many tokens are used, at most the capacity.
     *
     * @param tokens tokens, at least 0
     * @param nanos the time
     * @return the state
     */
    public long stateOfUsed(long tokens, long nanos) {
        return full(nanos) + Math.min(tokens, capacity) * unitsPerToken;
    }

    /**
     * Tokens that a bucket holds, rounded down.
     *
     * @param state the bucket's state
     * @param nanos the time
     * @return between 0 and the capacity
     */
    public long remaining(long state, long nanos) {
        return Math.max(0, capacity * unitsPerToken - used(state, nanos)) / unitsPerToken;
    }

    /**
     * The time after which a bucket admits a cost if nobody else spends meanwhile.
     *
     * @param state the bucket's state
     * @param nanos the time
     * @param cost tokens, at least 0
     * @return nanoseconds, rounded up; 0 if it admits the cost now; {@link LimitState#NEVER} if it never will
     */
    public long waitNanos(long state, long nanos, long cost) {
        if (cost == 0) {
            return 0;
        }
        if (cost > capacity) {
            return LimitState.NEVER;
        }
        return earnNanos(used(state, nanos) - (capacity - cost) * unitsPerToken);
    }

    /**
     * What a bucket says after a charge was tried.
     *
     * @param state the bucket's state, after the charge if it was spent
     * @param nanos the time
     * @param waitNanos the wait of the charge: 0 if it was admitted, {@link LimitState#NEVER} if it never will be
     * @return tokens left and waits
     */
    public LimitState describe(long state, long nanos, long waitNanos) {
        long remaining = remaining(state, nanos);
        long nextToken =
                remaining == capacity ? 0 : earnNanos(used(state, nanos) - (capacity - remaining - 1) * unitsPerToken);
        return new LimitState(remaining, waitNanos, nextToken);
    }

    /**
     * The time after which a bucket is full if nobody spends meanwhile.
     *
     * @param state the bucket's state
     * @param nanos the time
     * @return nanoseconds, rounded up; 0 for a full bucket
     */
    public long fullNanos(long state, long nanos) {
        return earnNanos(used(state, nanos));
    }

    /**
     * What is missing in a bucket: a form of its state that keeps its meaning on a clock with another origin.
     *
     * @param state the bucket's state
     * @param nanos the time
     * @return units, at least 0
     */
    public long used(long state, long nanos) {
        long distance = distance(state, full(nanos));
        // A full bucket falls behind; far beyond the capacity it is one that fell behind by half a circle.
        return distance <= 0 || distance > MOST_UNITS ? 0 : distance;
    }

    /**
     * The state of a bucket in which so much is missing: the inverse of {@link #used}.
     *
     * @param used units, at least 0
     * @param nanos the time
     * @return the state
     */
    public long stateOfMissing(long used, long nanos) {
        return full(nanos) + Math.min(used, MOST_UNITS);
    }

    /**
     * The state of a bucket that somebody else {@linkplain #describe described}. What a description leaves open, a part
     * of a token, counts as used. An empty bucket whose next token takes longer than one to come owes tokens.
     *
     * @param seen the description, of a bucket of the same limit
     * @param nanos the time
     * @return the state
     */
    public long stateOf(LimitState seen, long nanos) {
        long missing = capacity - Math.min(seen.remaining(), capacity);
        if (missing == 0) {
            return full(nanos);
        }
        long toNext = LongMath.saturatedMultiply(seen.nextTokenNanos() / nanosPerTick, unitsPerTick);
        long most = missing == capacity ? MOST_UNITS - (missing - 1) * unitsPerToken : unitsPerToken;
        return full(nanos) + (missing - 1) * unitsPerToken + Math.min(toNext, most);
    }

    /**
     * What a tick earns.
     *
     * @return units, at least 1
     */
    public long unitsPerTick() {
        return unitsPerTick;
    }

    /**
     * What a token takes.
     *
     * @return units, at least 1
     */
    public long unitsPerToken() {
        return unitsPerToken;
    }

    /**
     * The length of a tick.
     *
     * @return nanoseconds
     */
    public long nanosPerTick() {
        return nanosPerTick;
    }

    /**
     * Tokens that a full bucket holds.
     *
     * @return at least 0
     */
    public long capacity() {
        return capacity;
    }

    /** Buckets are equal if they count alike. */
    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof CellRate that
                        && unitsPerTick == that.unitsPerTick
                        && unitsPerToken == that.unitsPerToken
                        && nanosPerTick == that.nanosPerTick
                        && capacity == that.capacity);
    }

    @Override
    public int hashCode() {
        return Objects.hash(unitsPerTick, unitsPerToken, nanosPerTick, capacity);
    }

    private long earnNanos(long units) {
        return units <= 0 ? 0 : ceilDiv(units, unitsPerTick) * nanosPerTick;
    }

    /** How far a state lies ahead of another on a circle of 2^63 units; negative if it lies behind. */
    static long distance(long state, long other) {
        return (state - other) << 1 >> 1;
    }

    private static long ceilDiv(long dividend, long divisor) {
        return -Math.floorDiv(-dividend, divisor);
    }
}
