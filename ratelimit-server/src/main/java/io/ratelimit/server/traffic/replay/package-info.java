/**
 * What other rules would have done to recorded requests: the requests are decided again by the engine's rules and buckets,
 * at the times at which they came.
 */
@NullMarked
package io.ratelimit.server.traffic.replay;

import org.jspecify.annotations.NullMarked;
