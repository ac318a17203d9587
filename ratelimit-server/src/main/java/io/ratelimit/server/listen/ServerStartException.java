package io.ratelimit.server.listen;

import org.jspecify.annotations.Nullable;

/** The service cannot begin; the message says why and what to do. */
public final class ServerStartException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Says why.
     *
     * @param message why, and what to do
     * @param cause what was thrown, or null
     */
    public ServerStartException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
