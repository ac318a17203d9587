/** Rules tried out, before they are in force anywhere. */
@NullMarked
package io.ratelimit.server.trial;

import org.jspecify.annotations.NullMarked;
