package io.ratelimit.server.traffic.replay;

/**
 * How many requests there were, by those that were recorded.
 *
 * @param count how many there were: those that were looked at, each counted as often as the share of recorded clients says
 * @param relativeError the relative standard error of the count that comes from not having seen all clients; 0 where all
 *     were seen, and where there was none to count
 */
public record Estimate(long count, double relativeError) {}
