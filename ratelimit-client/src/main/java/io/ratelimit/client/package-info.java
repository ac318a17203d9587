/**
 * Asks a daemon to decide, over HTTP or a Unix domain socket. Where it does not answer in time the request passes, or local
 * limits answer.
 */
@NullMarked
package io.ratelimit.client;

import org.jspecify.annotations.NullMarked;
