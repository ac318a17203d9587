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
     * The attribute under which a filter's {@code HttpEngine} is found: of each request that passed it, and of the servlet
     * context, which alone has it where an application has one filter.
     */
    public static final String ATTRIBUTE = "io.ratelimit.engine";
}
