package io.ratelimit.core.http;

import io.ratelimit.core.RateLimitEngine;

/**
 * An engine and how its decisions are told over HTTP: what a filter and a feature of one application share.
 *
 * @param engine the engine
 * @param answers tells its decisions
 */
public record HttpEngine(RateLimitEngine engine, HttpAnswers answers) {

    /**
     * The attribute of the servlet context and of each request that passed a filter, under which the filter's
     * {@code HttpEngine} is found.
     */
    public static final String ATTRIBUTE = "io.ratelimit.engine";
}
