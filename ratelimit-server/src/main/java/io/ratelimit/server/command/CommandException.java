package io.ratelimit.server.command;

import org.jspecify.annotations.Nullable;

/** A command cannot do what it is asked for; its message says why and what would be right. Ends it with status 2. */
public final class CommandException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CommandException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
