package io.ratelimit.server.database;

/** The service cannot begin, because its database cannot be used. */
public final class DatabaseStartException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DatabaseStartException(DatabaseSettings settings, Throwable cause) {
        super("the database " + settings.place() + " cannot be used: " + lastCause(cause)
                + " (is it running, is its URL right, may this user make tables, does another process hold its file?)");
        initCause(cause);
    }

    private static String lastCause(Throwable failure) {
        Throwable last = failure;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        return String.valueOf(last.getMessage()).lines().findFirst().orElse("");
    }
}
