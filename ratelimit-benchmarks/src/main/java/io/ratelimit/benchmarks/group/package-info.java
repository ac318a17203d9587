/**
 * Hosts that tell one another what was spent, each in a process of its own: what gossip costs decisions, and whether real
 * hosts keep the bounds that simulated ones keep.
 */
@NullMarked
package io.ratelimit.benchmarks.group;

import org.jspecify.annotations.NullMarked;
