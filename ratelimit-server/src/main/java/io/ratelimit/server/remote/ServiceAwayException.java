package io.ratelimit.server.remote;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The service cannot be reached or is busy: the same request may succeed later. */
public final class ServiceAwayException extends Exception {

    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    ServiceAwayException(String message, Duration retryAfter, @Nullable Throwable cause) {
        super(message, cause);
        this.retryAfter = retryAfter;
    }

    /** How long the service wants to be left alone, 0 where it does not say. */
    Duration retryAfter() {
        return retryAfter;
    }
}
