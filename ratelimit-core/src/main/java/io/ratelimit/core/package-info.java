/**
 * The engine put together: {@link io.ratelimit.core.RateLimitEngine} owns rules, buckets and threads,
 * {@link io.ratelimit.core.TokenBucketRateLimiter} decides one request: match, identify, spend, report.
 */
@NullMarked
package io.ratelimit.core;

import org.jspecify.annotations.NullMarked;
