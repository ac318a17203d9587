/**
 * Requests that wait for their turn: the lines of this host, bounded in number, and who goes on when.
 */
@NullMarked
package io.ratelimit.core.queue;

import org.jspecify.annotations.NullMarked;
