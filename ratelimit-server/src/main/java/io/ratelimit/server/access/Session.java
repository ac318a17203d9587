package io.ratelimit.server.access;

import java.time.Instant;

/**
 * A browser that has shown a token.
 *
 * @param token the token
 * @param csrfToken what its forms must send back, so that another site's forms are told from ours
 * @param expires when it ends
 */
public record Session(AccessToken token, String csrfToken, Instant expires) {}
