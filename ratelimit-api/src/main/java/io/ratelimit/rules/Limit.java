package io.ratelimit.rules;

import java.time.Duration;

/**
 * So many tokens per period, and so many at once.
 *
 * @param tokens tokens that refill in a period, between 0 and {@link #MOST_TOKENS}; 0 refuses always
 * @param period the period, positive, at most {@link #LONGEST_PERIOD}; zero for {@code concurrency}, which has none
 * @param capacity the most tokens that a client can have saved, between 1 and {@link #MOST_TOKENS}; 0 only where
 *     {@code tokens} is 0. Of {@code warm-up} the most that one request may cost, of an adaptive {@code concurrency} the
 *     most that may be learned
 * @param algorithm how the limit counts
 * @param options how it departs from the plain form of the algorithm
 */
public record Limit(long tokens, Duration period, long capacity, Algorithm algorithm, LimitOptions options) {

    /** The largest number that a client can be told: an integer of RFC 9651 has at most 15 digits. */
    public static final long MOST_TOKENS = 999_999_999_999_999L;

    /** One hundred years of 365 days, so that a period always fits a {@code long} of nanoseconds. */
    public static final Duration LONGEST_PERIOD = Duration.ofDays(36_500);

    /** A limit that refuses every request that costs something, without a promise of when. */
    public static final Limit BLOCKED = new Limit(0, Duration.ofSeconds(1), 0, Algorithm.TOKEN_BUCKET);

    /**
     * Checks the ranges, and that the options go with the algorithm.
     *
     * @throws IllegalArgumentException if a component is out of its range, or an option or a burst does not go with the
     *     algorithm
     */
    public Limit {
        if (tokens < 0 || tokens > MOST_TOKENS) {
            throw new IllegalArgumentException("tokens must be between 0 and " + MOST_TOKENS + ", not " + tokens);
        }
        if (algorithm == Algorithm.CONCURRENCY && !period.isZero()) {
            throw new IllegalArgumentException("concurrency has no period, and none can be set: it counts requests"
                    + " that are under way, not " + period);
        }
        boolean outOfRange = period.isNegative() || period.isZero() || period.compareTo(LONGEST_PERIOD) > 0;
        if (algorithm != Algorithm.CONCURRENCY && outOfRange) {
            throw new IllegalArgumentException(
                    "the period must be longer than 0 and at most " + LONGEST_PERIOD.toDays() + " days, not " + period);
        }
        if (capacity < 0 || capacity > MOST_TOKENS || (capacity == 0) != (tokens == 0)) {
            throw new IllegalArgumentException("the burst must be between 1 and " + MOST_TOKENS + ", not " + capacity);
        }
        LimitCheck.check(tokens, period, capacity, algorithm, options);
    }

    /**
     * A limit in the plain form of its algorithm.
     *
     * @param tokens tokens per period
     * @param period the period
     * @param capacity the most tokens that a client can have saved
     * @param algorithm how the limit counts
     * @throws IllegalArgumentException if a component is out of its range
     */
    public Limit(long tokens, Duration period, long capacity, Algorithm algorithm) {
        this(tokens, period, capacity, algorithm, LimitOptions.NONE);
    }

    /**
     * A token bucket that holds what refills in one period.
     *
     * @param tokens tokens per period, which are also the capacity
     * @param period the period
     * @return the limit
     * @throws IllegalArgumentException if a component is out of its range
     */
    public static Limit of(long tokens, Duration period) {
        return new Limit(tokens, period, tokens, Algorithm.TOKEN_BUCKET);
    }

    /**
     * The same limit with another capacity.
     *
     * @param capacity the most tokens that a client can have saved
     * @return the limit
     * @throws IllegalArgumentException if the capacity is out of its range
     */
    public Limit withBurst(long capacity) {
        return new Limit(tokens, period, capacity, algorithm, options);
    }

    /**
     * The same limit with other options.
     *
     * @param value how it departs from the plain form of its algorithm
     * @return the limit
     * @throws IllegalArgumentException if an option does not go with the algorithm
     */
    public Limit with(LimitOptions value) {
        return new Limit(tokens, period, capacity, algorithm, value);
    }

    /**
     * Whether this limit refuses always.
     *
     * @return true for a limit of no tokens
     */
    public boolean isBlocked() {
        return tokens == 0;
    }

    /**
     * Whether another limit continues this one when rules are reloaded: same period, same algorithm.
     *
     * @param other the limit of the new rules
     * @return true if what was used of one stays used of the other
     */
    public boolean pairsWith(Limit other) {
        return period.equals(other.period) && algorithm == other.algorithm;
    }

    /**
     * The limit in the rules file's spelling, such as {@code 20 per 1s burst 40} or
     * <code>{ tokens: 10, algorithm: concurrency }</code>.
     */
    @Override
    public String toString() {
        return LimitText.of(this);
    }

    /**
     * The period in the largest unit that divides it.
     *
     * @return a text such as {@code 1s}, {@code 15m} or {@code 1d}, in ISO 8601 where the period is no whole number of
     *     milliseconds; {@code in-flight} for {@code concurrency}, which has no period
     */
    public String periodText() {
        return algorithm == Algorithm.CONCURRENCY ? "in-flight" : new DurationText(period).toString();
    }
}
