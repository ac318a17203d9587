/**
 * How a limit counts: pure arithmetic on a state and a time, without clock, lock or I/O.
 */
@NullMarked
package io.ratelimit.core.algorithm;

import org.jspecify.annotations.NullMarked;
