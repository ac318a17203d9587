package io.ratelimit.server.web;

/** The service cannot begin; the message says why and what to do. */
public final class ServerStartException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ServerStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
