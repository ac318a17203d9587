/**
 * What an application sees of the limiter: ask a {@link io.ratelimit.RateLimiter} about a
 * {@link io.ratelimit.RequestContext}, read the {@link io.ratelimit.Decision}. Extensions implement
 * {@link io.ratelimit.ClientIdentifierBuilder} and {@link io.ratelimit.RateLimitListener}.
 */
@NullMarked
package io.ratelimit;

import org.jspecify.annotations.NullMarked;
