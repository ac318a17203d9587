package io.ratelimit.rules;

import java.time.Duration;

/**
 * A longer refusal for a client that goes on after it was refused: so many refusals within one period of the limit, and
 * the limit refuses everything that costs something for a while.
 *
 * @param refusals how many, at least 1
 * @param length how long the limit refuses then, positive, at most {@link Limit#LONGEST_PERIOD}
 */
public record Penalty(int refusals, Duration length) {

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a component is out of its range
     */
    public Penalty {
        if (refusals < 1) {
            throw new IllegalArgumentException("a penalty comes after 1 or more refusals, not " + refusals);
        }
        if (length.isNegative() || length.isZero() || length.compareTo(Limit.LONGEST_PERIOD) > 0) {
            throw new IllegalArgumentException("a penalty must be longer than 0 and at most "
                    + Limit.LONGEST_PERIOD.toDays() + " days, not " + length);
        }
    }
}
