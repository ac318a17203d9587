/** Ports and certificates: what servers of this process are reached by. */
@NullMarked
package io.ratelimit.server.listen;

import org.jspecify.annotations.NullMarked;
