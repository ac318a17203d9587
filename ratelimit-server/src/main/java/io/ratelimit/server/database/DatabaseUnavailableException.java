package io.ratelimit.server.database;

/** The database cannot be asked now; it may be later, without anybody's help to this process. */
public final class DatabaseUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DatabaseUnavailableException(Throwable cause) {
        super("the database cannot be reached now", cause);
    }
}
