package io.ratelimit.server.access;

/**
 * A token that was just given out, with its secret, which is shown this once.
 *
 * @param token what is known of it
 * @param secret what its bearer sends
 */
public record NewToken(AccessToken token, String secret) {

    /** Without the secret. */
    @Override
    public String toString() {
        return "NewToken[" + token + "]";
    }
}
