package io.ratelimit.server.database;

import com.google.common.base.Throwables;
import java.sql.SQLException;
import java.util.Optional;

/** The service cannot begin, because its database cannot be used. */
public final class DatabaseStartException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The class of states that tell of a user who may not come in. */
    private static final String NOT_LET_IN = "28";

    DatabaseStartException(DatabaseSettings settings, Throwable cause) {
        super("the database " + settings.place() + " cannot be used: " + why(cause), cause);
    }

    private static String why(Throwable failure) {
        Optional<SQLException> told = Throwables.getCausalChain(failure).stream()
                .filter(SQLException.class::isInstance)
                .map(SQLException.class::cast)
                .findFirst();
        if (told.isPresent() && String.valueOf(told.get().getSQLState()).startsWith(NOT_LET_IN)) {
            return firstLine(told.get()) + " (see --db-user and RATELIMIT_DB_PASSWORD)";
        }
        // PostgreSQL's driver has no such codes: 0.
        return switch (told.map(SQLException::getErrorCode).orElse(0)) {
            case 90011 -> "H2 takes a relative path only with ./ before it: jdbc:h2:file:./ratelimit-rules";
            case 90020 ->
                "another process has its file open: stop that one, or use PostgreSQL, which several may share";
            case 90028, 90030 ->
                "its file cannot be read, or is damaged, or none of H2's: put back a copy of it, or name"
                        + " another with --db";
            case 90062 ->
                firstLine(told.orElseThrow()) + ": name one with --db in a folder that this user may write in";
            default ->
                firstLine(Throwables.getRootCause(failure))
                        + " (is it running, is its URL right, may this user make tables?)";
        };
    }

    /** Without the code that H2 puts behind. */
    private static String firstLine(Throwable failure) {
        return String.valueOf(failure.getMessage())
                .lines()
                .findFirst()
                .orElse("")
                .replaceFirst(" \\[\\d+-\\d+]$", "");
    }
}
