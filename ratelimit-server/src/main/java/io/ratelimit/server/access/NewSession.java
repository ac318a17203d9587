package io.ratelimit.server.access;

/**
 * A session that was just opened, with what the browser shows from then on.
 *
 * @param session the session
 * @param secret the cookie's value
 */
public record NewSession(Session session, String secret) {

    /** Without the secret. */
    @Override
    public String toString() {
        return "NewSession[" + session.token() + "]";
    }
}
