/**
 * How long decisions take that hosts share, side by side: ours, Bucket4j's on the same cluster, and a bare call to the owner
 * of an entry, each host a process of its own.
 */
@NullMarked
package io.ratelimit.benchmarks.shared;

import org.jspecify.annotations.NullMarked;
