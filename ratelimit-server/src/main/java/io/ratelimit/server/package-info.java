/** The runnable: its command line, and how the rules service is put together. */
@NullMarked
package io.ratelimit.server;

import org.jspecify.annotations.NullMarked;
