package io.ratelimit.rules;

import org.jspecify.annotations.Nullable;

/**
 * What some requests cost.
 *
 * @param match which requests
 * @param resolver the name of the {@link io.ratelimit.CostResolver} that works the cost out, or null where it is fixed
 * @param cost tokens, at least 0; 0 looks without charging. With a resolver, what stands in where that has no answer
 */
public record OperationCost(Condition match, @Nullable String resolver, long cost) {

    /**
     * Checks the cost.
     *
     * @throws IllegalArgumentException if the cost is negative, or the resolver's name blank
     */
    public OperationCost {
        if (cost < 0) {
            throw new IllegalArgumentException("a cost is 0 or more tokens, not " + cost);
        }
        if (resolver != null && resolver.isBlank()) {
            throw new IllegalArgumentException("the name of a cost resolver is not blank; null means a fixed cost");
        }
    }

    /**
     * A fixed cost.
     *
     * @param match which requests
     * @param cost tokens, at least 0; 0 looks without charging
     * @throws IllegalArgumentException if the cost is negative
     */
    public OperationCost(Condition match, long cost) {
        this(match, null, cost);
    }
}
