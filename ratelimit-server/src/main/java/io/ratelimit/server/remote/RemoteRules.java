package io.ratelimit.server.remote;

/**
 * A version of a service's rules, as it was retrieved.
 *
 * @param number the version's number, from 1
 * @param tag its entity tag without quotes, such as {@code 17-3fb2c1d0}
 * @param text the document, as its author wrote it
 */
public record RemoteRules(long number, String tag, String text) {}
