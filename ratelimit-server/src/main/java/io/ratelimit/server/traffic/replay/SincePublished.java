package io.ratelimit.server.traffic.replay;

/**
 * The requests that hosts decided after the rules in force were published, for which alone what hosts did and what these
 * rules do in a replay are alike. Hosts take rules over some seconds after their publication.
 *
 * @param requests how many there were
 * @param reallyRefused how many of them the hosts refused
 * @param refused how many of them the rules in force refuse in the replay
 */
public record SincePublished(Estimate requests, Estimate reallyRefused, Estimate refused) {}
