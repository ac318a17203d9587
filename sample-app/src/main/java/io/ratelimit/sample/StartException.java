package io.ratelimit.sample;

import org.jspecify.annotations.Nullable;

/** The sample cannot start as it was asked to; the message is for whoever asked. */
final class StartException extends RuntimeException {

    private static final long serialVersionUID = 1;

    StartException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
