package io.ratelimit.server.database;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the database is and who asks it.
 *
 * @param url a JDBC URL of PostgreSQL or H2
 * @param user the user, or null where the URL says or none is needed
 * @param password the password, or null where there is none
 */
public record DatabaseSettings(
        String url, @Nullable String user, @Nullable String password) {

    private static final String H2 = "jdbc:h2:";
    private static final String POSTGRESQL = "jdbc:postgresql:";

    /** So that one script serves both, and that a commit is in the file when it returns. */
    private static final String H2_OPTIONS =
            ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE"
                    // What fails is told by us: H2's own trace is a stack on the terminal or a file beside the
                    // database.
                    + ";TRACE_LEVEL_FILE=0";

    private static final Pattern H2_FILE =
            Pattern.compile("jdbc:h2:(?:file:)?(?<path>(?:~|\\.{1,2}|[A-Za-z]:)?[/\\\\].*)");

    /**
     * Checks the URL.
     *
     * @throws IllegalArgumentException if it is of neither database
     */
    public DatabaseSettings {
        if (!url.startsWith(H2) && !url.startsWith(POSTGRESQL)) {
            // What is wrong may hold a password: it is not shown.
            throw new IllegalArgumentException("the database's URL must begin with " + POSTGRESQL + " or " + H2
                    + ", such as jdbc:postgresql://127.0.0.1/ratelimit or jdbc:h2:file:./ratelimit-rules");
        }
    }

    boolean isH2() {
        return url.startsWith(H2);
    }

    String connectionUrl() {
        return isH2() ? url + H2_OPTIONS : url;
    }

    /** The URL without what may be a secret: everything behind its place. */
    public String place() {
        return url.replaceFirst("[?;].*", "").replaceFirst("//[^@/]*@", "//");
    }

    /**
     * Where the database is, for people.
     *
     * @return the absolute path of H2's file, else the URL without what may be a secret
     */
    public String location() {
        Matcher file = H2_FILE.matcher(place());
        if (!file.matches()) {
            return place();
        }
        String path = file.group("path").replaceFirst("^~", Matcher.quoteReplacement(System.getProperty("user.home")));
        return Path.of(path + ".mv.db").toAbsolutePath().normalize().toString();
    }

    /** Shows no password. */
    @Override
    public String toString() {
        return place();
    }
}
