/**
 * A rules service as those see it who work with it over HTTP: a client of its API that never sends its token anywhere else,
 * and asks again where that may help.
 */
@NullMarked
package io.ratelimit.server.remote;

import org.jspecify.annotations.NullMarked;
