/**
 * Buckets that all hosts of a service share, in Redis or Valkey.
 */
@NullMarked
package io.ratelimit.redis;

import org.jspecify.annotations.NullMarked;
