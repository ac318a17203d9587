package io.ratelimit.core.queue;

/**
 * A place that a request needs.
 *
 * @param line where
 * @param most how many requests may wait there
 */
public record WantedPlace(LineKey line, int most) {}
