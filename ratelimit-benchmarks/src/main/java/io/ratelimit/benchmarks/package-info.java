/**
 * Speed and memory beside other limiters, measured in one run, with a report that says which budgets are met. Not
 * published.
 */
@NullMarked
package io.ratelimit.benchmarks;

import org.jspecify.annotations.NullMarked;
