/**
 * The limiter on JAX-RS resources: a dynamic feature that reads {@code @RateLimited} and {@code @RateLimitExempt}.
 */
@NullMarked
package io.ratelimit.jaxrs;

import org.jspecify.annotations.NullMarked;
