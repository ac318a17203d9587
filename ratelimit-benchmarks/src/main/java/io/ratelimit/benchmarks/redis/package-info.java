/**
 * How long decisions take that hosts share in Redis, and what they keep there, side by side: ours, Bucket4j's on the same
 * server, and the least calls that there are.
 */
@NullMarked
package io.ratelimit.benchmarks.redis;

import org.jspecify.annotations.NullMarked;
