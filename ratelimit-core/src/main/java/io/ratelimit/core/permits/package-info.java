/**
 * Limits for use inside a program: callers that wait their turn, with a thread or without one. Of one limit in this
 * process, or of a rule and a client by the buckets that requests are charged from.
 */
@NullMarked
package io.ratelimit.core.permits;

import org.jspecify.annotations.NullMarked;
