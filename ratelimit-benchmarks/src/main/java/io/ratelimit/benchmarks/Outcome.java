package io.ratelimit.benchmarks;

import io.ratelimit.rules.Limit;

/** What becomes of every request of a benchmark. */
public enum Outcome {
    /** All pass. */
    ADMITTED,
    /** None passes: the only token was taken before. */
    REFUSED;

    Limit limit() {
        return this == ADMITTED ? TestedLimits.NEVER_REFUSES : TestedLimits.REFUSES_ALL_BUT_ONE;
    }

    /**
     * Checks that what was measured is what should be measured.
     *
     * @throws IllegalStateException if the limiter answered otherwise
     */
    void check(String limiter, boolean admitted) {
        if (admitted != (this == ADMITTED)) {
            throw new IllegalStateException(
                    limiter + (admitted ? " admitted" : " refused") + " where all should be " + this);
        }
    }
}
