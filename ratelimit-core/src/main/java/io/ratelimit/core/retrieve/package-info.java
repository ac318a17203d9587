/**
 * How rules reach this host: sources, the periodic retrieval with its jitter, and the last good rules on disk.
 */
@NullMarked
package io.ratelimit.core.retrieve;

import org.jspecify.annotations.NullMarked;
