package io.ratelimit;

import io.ratelimit.rules.RuleSet;

/**
 * Hears what the limiter does. Called on the deciding thread, so an implementation must be quick and thread-safe; what
 * it throws is logged once and otherwise ignored. Given to a builder, or found by {@link java.util.ServiceLoader}; it
 * then needs a public constructor without parameters.
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
     * How long a decision took, waits for a shared store included. Told of one decision in sixteen, chosen at random,
     * since reading the clock takes as long as deciding; what an annotation adds to a decision is not told.
     *
     * @param nanos the time in nanoseconds, at least 0
     */
    default void onDecisionTime(long nanos) {}

    /**
     * How long the shared store took to answer a charge, or to fail. Told of each call, those that came too late for
     * their request included; a call that gets no answer at all is not told of here.
     *
     * @param nanos the time in nanoseconds, at least 0
     */
    default void onStoreTime(long nanos) {}

    /**
     * How many buckets this host keeps. Told at the start and every half minute, after full ones were forgotten.
     *
     * @param keys the number of clients and rules that have something spent
     */
    default void onKeys(long keys) {}

    /**
     * How many requests wait for their turn on this host, under rules with a queue. Told whenever one comes or goes, and
     * every half minute; calls at the same time may come in any order.
     *
     * @param waiting the number of requests of all clients, at least 0
     */
    default void onWaiting(long waiting) {}

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

    /** The limiter is closed. What was under way may still be told of afterwards. */
    default void onClose() {}
}
