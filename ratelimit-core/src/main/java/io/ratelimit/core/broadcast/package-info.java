/**
 * Buckets of each host, and what hosts tell one another about them: how much each client has spent where. The face is
 * {@link io.ratelimit.core.broadcast.BroadcastingBucketStore}, over any {@link io.ratelimit.store.MessageBroadcaster}.
 */
@NullMarked
package io.ratelimit.core.broadcast;

import org.jspecify.annotations.NullMarked;
