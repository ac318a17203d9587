package io.ratelimit.sample;

/** The sample cannot start as it was asked to; the message is for whoever asked. */
final class StartException extends RuntimeException {

    private static final long serialVersionUID = 1;

    StartException(String message, Throwable cause) {
        super(message, cause);
    }
}
