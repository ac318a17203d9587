package io.ratelimit;

import java.util.concurrent.CompletionStage;

/**
 * Decides whether a request may pass.
 *
 * <p>Implementations are safe for use by any number of threads, never block longer than the store timeouts of the
 * rules, and never throw into their caller: a request that they cannot decide passes, or is answered as the
 * {@link io.ratelimit.rules.OnFailure} of the rule says.
 */
public interface RateLimiter {

    /**
     * Spends the tokens that the request costs, if all limits of all rules that apply allow it; otherwise spends
     * nothing.
     *
     * @param context the request; read only during the call
     * @return the decision, never null
     */
    Decision decide(RequestContext context);

    /**
     * The same as {@link #decide} without holding the caller's thread while a shared store is asked.
     *
     * @param context the request; it may be read until the stage completes
     * @return a stage that always completes normally, on the caller's thread where nothing had to be waited for
     */
    CompletionStage<Decision> decideAsync(RequestContext context);

    /**
     * The shortest form of {@link #decide}.
     *
     * @param context the request
     * @return whether the request may pass
     * @throws IllegalStateException if a rule applies that must be told how the request went: one that charges by the
     *     response or counts requests that are under way; nothing is charged then
     */
    default boolean allowRequest(RequestContext context) {
        Decision decision = decide(context);
        if (decision.mustBeSettled()) {
            decision.settlement().refund();
            throw new IllegalStateException("a rule charges by the response or counts requests that are under way: ask"
                    + " decide() and settle the decision when the request is over");
        }
        return decision.allowed();
    }
}
