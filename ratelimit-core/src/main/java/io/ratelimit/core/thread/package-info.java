/** The threads of a limiter: made and waited for alike. */
@NullMarked
package io.ratelimit.core.thread;

import org.jspecify.annotations.NullMarked;
