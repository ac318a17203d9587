package io.ratelimit.server.traffic.replay;

import org.jspecify.annotations.Nullable;

/**
 * What the application makes of a request that is let through.
 *
 * @param status the status that it answers with, or null where nobody knows: the request is charged then
 * @param millis how long it takes, at least 0
 */
record Answer(@Nullable Integer status, long millis) {}
