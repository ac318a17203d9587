package io.ratelimit.jgroups;

import com.google.common.net.HostAndPort;
import com.google.common.net.InetAddresses;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads where hosts look for one another: {@code HOST:PORT} or {@code HOST} with commas between them, or one of {@code
 * multicast}, {@code multicast:ADDRESS:PORT}, {@code file:DIRECTORY}, {@code jdbc:URL} and {@code registry:HOST:PORT,…}.
 *
 * @param address the host's own
 * @param firstPort of those that hosts have where none is given
 * @param ports how many these are
 */
record MemberSearchGrammar(InetAddress address, int firstPort, int ports) {

    private static final String MULTICAST = "multicast";
    private static final String FILE = "file:";
    static final String JDBC = "jdbc:";
    private static final String REGISTRY = "registry:";
    private static final String DEFAULT_GROUP = "239.255.76.80:45588";
    private static final int DEFAULT_REGISTRY_PORT = 12_001;

    /**
     * Reads a setting.
     *
     * @param text the text; null for the ports of this host's own address
     * @throws IllegalArgumentException if it is none of these; the message says what would be right
     */
    MemberSearch parse(@Nullable String text) {
        if (text == null) {
            return new ListedMembers(List.of(HostAndPort.fromHost(address.getHostAddress())), firstPort, ports);
        }
        if (text.equals(MULTICAST) || text.startsWith(MULTICAST + ":")) {
            return multicast(text.equals(MULTICAST) ? DEFAULT_GROUP : text.substring(MULTICAST.length() + 1));
        }
        if (text.startsWith(FILE)) {
            return new DirectorySearch(given(text.substring(FILE.length()), "a directory that all hosts have"));
        }
        if (text.startsWith(JDBC)) {
            return new TableSearch(text);
        }
        if (text.startsWith(REGISTRY)) {
            return new RegistrySearch(all(text.substring(REGISTRY.length()), part -> {
                HostAndPort place = place(part).withDefaultPort(DEFAULT_REGISTRY_PORT);
                return new InetSocketAddress(place.getHost(), place.getPort());
            }));
        }
        return new ListedMembers(all(text, MemberSearchGrammar::place), firstPort, ports);
    }

    private static MulticastSearch multicast(String text) {
        HostAndPort place = place(text);
        try {
            InetAddress group = InetAddress.getByName(place.getHost());
            if (group.isMulticastAddress() && place.hasPort()) {
                return new MulticastSearch(group, place.getPort());
            }
        } catch (UnknownHostException e) {
            // Answered below, like any other address that is none for many.
        }
        throw new IllegalArgumentException(
                "'" + text + "' must be a multicast address with its port, such as " + MULTICAST + ":" + DEFAULT_GROUP);
    }

    private static <T> List<T> all(String text, Function<String, T> each) {
        return Stream.of(text.split(",", -1)).map(String::strip).map(each).toList();
    }

    private static String given(String text, String what) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("it must name " + what);
        }
        return text;
    }

    private static HostAndPort place(String text) {
        try {
            HostAndPort place = HostAndPort.fromString(text);
            if (InetAddresses.isInetAddress(place.getHost()) || place.getHost().matches("[A-Za-z0-9._-]+")) {
                return place;
            }
        } catch (IllegalArgumentException e) {
            // Answered below, with what would be right.
        }
        throw new IllegalArgumentException(
                "'" + text + "' is not HOST:PORT or HOST; write members as a list with commas"
                        + " between them, such as 10.0.0.5, 10.0.0.6:7800, and IPv6 as [2001:db8::5]:7800, or one of multicast,"
                        + " file:DIRECTORY, jdbc:URL and registry:HOST:PORT");
    }
}
