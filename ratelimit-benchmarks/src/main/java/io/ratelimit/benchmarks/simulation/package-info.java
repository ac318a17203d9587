/**
 * Hosts that share budgets eventually, thousands of them in one process: the shipped store on each, a network that loses and
 * delays, and a clock that jumps from one event to the next. The same seed gives the same run.
 */
@NullMarked
package io.ratelimit.benchmarks.simulation;

import org.jspecify.annotations.NullMarked;
