/**
 * Hosts that share budgets, each a process of its own, under a load that a scenario file describes and with the faults
 * that it names; and what they admitted together against what the limit allows.
 */
@NullMarked
package io.ratelimit.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;
