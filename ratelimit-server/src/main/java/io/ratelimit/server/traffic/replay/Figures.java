package io.ratelimit.server.traffic.replay;

/**
 * What became of requests under one set of rules. Each request is one of the first three.
 *
 * @param allowed how many passed at once
 * @param waiting how many had to wait for their turn
 * @param refused how many were refused
 * @param shadow how many passed that a shadow rule would have refused
 */
public record Figures(Estimate allowed, Estimate waiting, Estimate refused, Estimate shadow) {}
