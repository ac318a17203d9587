/**
 * The console: pages for those who own a service's limits, made on the server. Resources read what is asked for and hand a
 * page's model to its template in {@code src/main/jte}, which escapes all that it shows.
 */
@NullMarked
package io.ratelimit.server.console;

import org.jspecify.annotations.NullMarked;
