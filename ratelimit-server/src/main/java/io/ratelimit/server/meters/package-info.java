/** What a server of this process tells of itself. */
@NullMarked
package io.ratelimit.server.meters;

import org.jspecify.annotations.NullMarked;
