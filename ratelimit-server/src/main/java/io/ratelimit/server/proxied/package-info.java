/** What proxies tell of the requests that they ask about, read as containers would. */
@NullMarked
package io.ratelimit.server.proxied;

import org.jspecify.annotations.NullMarked;
