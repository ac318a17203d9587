/**
 * Who the client is: the builders of client identifiers, and the client's address behind trusted proxies.
 */
@NullMarked
package io.ratelimit.core.client;

import org.jspecify.annotations.NullMarked;
