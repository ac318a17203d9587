/**
 * What application code says about its own operations: {@link io.ratelimit.annotation.RateLimited} names an operation,
 * its cost and its limits, {@link io.ratelimit.annotation.RateLimitExempt} frees it.
 */
@NullMarked
package io.ratelimit.annotation;

import org.jspecify.annotations.NullMarked;
