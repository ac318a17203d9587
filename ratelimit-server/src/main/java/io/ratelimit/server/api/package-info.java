/** The API over HTTP, version 1: JSON, problems by RFC 9457, conditional requests by RFC 9110. */
@NullMarked
package io.ratelimit.server.api;

import org.jspecify.annotations.NullMarked;
