package io.ratelimit;

import io.ratelimit.rules.RuleSet;

/**
 * Hears what the limiter does. Called on the deciding thread, so an implementation must be quick and thread-safe; what
 * it throws is logged once and otherwise ignored.
 */
public interface RateLimitListener {

    /**
     * A request was decided.
     *
     * @param context the request
     * @param decision the decision
     */
    default void onDecision(RequestContext context, Decision decision) {}

    /**
     * Other rules are in force from now on.
     *
     * @param rules the rules
     */
    default void onReload(RuleSet rules) {}

    /**
     * Something went wrong and was dealt with.
     *
     * @param kind what failed, from a small fixed set: {@code store-timeout}, {@code store-error},
     *     {@code table-full}, {@code rules}, {@code identity-missing}, {@code internal}
     * @param cause the cause
     */
    default void onFailure(String kind, Throwable cause) {}
}
