package io.ratelimit.client;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a daemon is.
 *
 * @param text the address without a slash at its end
 * @param socket the path of a Unix domain socket, or null
 */
record DaemonAddress(String text, @Nullable Path socket) {

    static final String EXAMPLE = "http://127.0.0.1:8601, https://limits.example.org:8601 or unix:/run/ratelimit.sock";

    private static final String UNIX = "unix:";
    private static final Set<String> SCHEMES = Set.of("http", "https");

    /**
     * Reads an address.
     *
     * @throws IllegalArgumentException if it is none; the message says what would be right
     */
    static DaemonAddress parse(String text) {
        try {
            return text.startsWith(UNIX) ? unix(text) : http(text);
        } catch (URISyntaxException | InvalidPathException e) {
            throw invalid("it cannot be read");
        }
    }

    private static DaemonAddress unix(String text) {
        Path socket = Path.of(text.substring(UNIX.length()));
        if (!socket.isAbsolute()) {
            throw invalid("'" + text + "' has no absolute path");
        }
        return new DaemonAddress(text, socket);
    }

    private static DaemonAddress http(String text) throws URISyntaxException {
        URI uri = new URI(text);
        if (uri.getUserInfo() != null) {
            throw invalid("it holds credentials, which belong into token");
        }
        boolean isHttp =
                uri.getScheme() != null && SCHEMES.contains(uri.getScheme().toLowerCase(Locale.ROOT));
        if (!isHttp || uri.getHost() == null || uri.getQuery() != null || uri.getFragment() != null) {
            throw invalid("'" + text + "' is no http or https address of a host");
        }
        return new DaemonAddress(text.replaceFirst("/+$", ""), null);
    }

    private static IllegalArgumentException invalid(String why) {
        return new IllegalArgumentException("the address of a daemon is wrong: " + why + "; right would be " + EXAMPLE);
    }
}
