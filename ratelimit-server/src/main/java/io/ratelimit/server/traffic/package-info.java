/**
 * What hosts tell of themselves and of the requests that they decide: which rules they run, what these allow and refuse, a
 * recording of single requests. Kept in memory, bounded; nothing here speaks HTTP or asks a database.
 */
@NullMarked
package io.ratelimit.server.traffic;

import org.jspecify.annotations.NullMarked;
