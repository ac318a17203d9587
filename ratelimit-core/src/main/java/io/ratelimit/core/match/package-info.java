/**
 * The rules compiled for deciding: which rules apply to a request, found in a time that does not grow with their
 * number; and the cache that swaps them.
 */
@NullMarked
package io.ratelimit.core.match;

import org.jspecify.annotations.NullMarked;
