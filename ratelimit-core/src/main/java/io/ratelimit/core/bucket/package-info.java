/**
 * Buckets in this process: a bounded, expiring table of states, and the store over it. A decorator falls back to it
 * where a shared store does not answer.
 */
@NullMarked
package io.ratelimit.core.bucket;

import org.jspecify.annotations.NullMarked;
