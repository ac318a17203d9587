package io.ratelimit.rules;

/**
 * What some requests cost.
 *
 * @param match which requests
 * @param cost tokens, at least 0; 0 looks without charging
 */
public record OperationCost(Condition match, long cost) {

    /**
     * Checks the cost.
     *
     * @throws IllegalArgumentException if the cost is negative
     */
    public OperationCost {
        if (cost < 0) {
            throw new IllegalArgumentException("a cost is 0 or more tokens, not " + cost);
        }
    }
}
