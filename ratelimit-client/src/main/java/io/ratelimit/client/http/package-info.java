/** Well-behaved HTTP callers: they wait as long as a server asks them to, and try again no more than is good for it. */
@NullMarked
package io.ratelimit.client.http;

import org.jspecify.annotations.NullMarked;
