/** The service as a server: its pieces put together, in a Jetty with limits of its own. */
@NullMarked
package io.ratelimit.server.web;

import org.jspecify.annotations.NullMarked;
