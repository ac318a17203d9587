package io.ratelimit.server.traffic;

/**
 * A client that a rule has refused often.
 *
 * @param client its name as hosts tell it; text from outside, to be escaped
 * @param refused how often, at most
 * @param excess by how much that may be too high, where very many clients are refused
 */
public record MostRefused(String client, long refused, long excess) {}
