/** Decisions of a daemon, beside those of the library. */
@NullMarked
package io.ratelimit.benchmarks.daemon;

import org.jspecify.annotations.NullMarked;
