package io.ratelimit.server.remote;

import java.time.Instant;

/**
 * What is told of a version beside its text.
 *
 * @param number the version's number, from 1
 * @param tag its entity tag without quotes, such as {@code 17-3fb2c1d0}
 * @param published when it was published
 * @param author by whom; text from outside, to be escaped
 * @param comment why; may be empty; text from outside, to be escaped
 */
public record Publication(long number, String tag, Instant published, String author, String comment) {}
