/** The limiter as a process of its own, which any language asks over HTTP. */
@NullMarked
package io.ratelimit.server.daemon;

import org.jspecify.annotations.NullMarked;
