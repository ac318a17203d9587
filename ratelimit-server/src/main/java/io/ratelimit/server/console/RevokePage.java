package io.ratelimit.server.console;

import io.ratelimit.server.access.AccessToken;
import org.jspecify.annotations.Nullable;

/**
 * Asks whether a token is to be revoked.
 *
 * @param shell what stands around the page
 * @param token the token
 * @param isOwn whether the page was asked for with it
 * @param error why it cannot be revoked, or null
 */
record RevokePage(
        Shell shell,
        AccessToken token,
        boolean isOwn,
        @Nullable String error) implements Page {

    @Override
    public String template() {
        return "revoke.jte";
    }
}
