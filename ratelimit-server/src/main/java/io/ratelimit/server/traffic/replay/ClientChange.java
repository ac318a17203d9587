package io.ratelimit.server.traffic.replay;

/**
 * A client for which the draft changes something.
 *
 * @param client the client, such as {@code user=alice}; text from outside, to be escaped
 * @param requests how many of its requests fare otherwise
 */
public record ClientChange(String client, long requests) {}
