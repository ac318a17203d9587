package io.ratelimit.sample;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a member listens.
 *
 * @param host a name or an address; an IPv6 address stands in brackets
 * @param port 1 to 65535
 */
record HostAndPort(String host, int port) {

    private static final Pattern SPELLING =
            Pattern.compile("(?<host>\\[[0-9A-Fa-f:.%]+]|[^\\s:,\\[\\]]+):(?<port>[0-9]{1,5})");

    /**
     * Reads {@code HOST:PORT}.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static HostAndPort parse(String text) {
        Matcher matcher = SPELLING.matcher(text);
        if (matcher.matches()) {
            int port = Integer.parseInt(matcher.group("port"));
            if (port >= 1 && port <= 65_535) {
                return new HostAndPort(matcher.group("host"), port);
            }
        }
        throw new IllegalArgumentException("'" + text + "' is not HOST:PORT, such as 127.0.0.1:5701");
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
