package io.ratelimit.server.traffic.replay;

import java.time.Duration;

/**
 * The first part of a recording, in which buckets may hold more than they really did: all are full at its beginning.
 *
 * @param length how long it takes until what was spent before the recording can make no difference, at most the whole
 *     recording: the longest time in which a limit fills
 * @param reallyRefused how many requests the hosts refused in that time
 * @param passed how many of these the rules in force let pass in the replay
 */
public record WarmUp(Duration length, Estimate reallyRefused, Estimate passed) {}
