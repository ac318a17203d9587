package io.ratelimit;

import io.ratelimit.rules.Limit;

/** Is told of limits one after the other. */
@FunctionalInterface
public interface LimitVisitor {

    /**
     * Hears of a limit as a decision left it.
     *
     * @param limit the limit
     * @param policy the limit's name towards clients, as in {@link LimitStatus}
     * @param state the tokens left and the waits
     */
    void visit(Limit limit, String policy, LimitState state);
}
