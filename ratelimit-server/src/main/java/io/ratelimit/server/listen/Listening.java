package io.ratelimit.server.listen;

import java.net.InetSocketAddress;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Where a server listens.
 *
 * @param host the address
 * @param port the port, 0 for any that is free
 * @param flag the flag that sets the port, for messages
 * @param tls the certificate, or null for plain connections
 */
public record Listening(
        String host, int port, String flag, @Nullable TlsSettings tls) {

    private static final int LAST_PORT = 65_535;

    /**
     * Checks the port.
     *
     * @throws IllegalArgumentException if there is no such port
     */
    public Listening {
        if (port < 0 || port > LAST_PORT) {
            throw new IllegalArgumentException(flag + " is " + port + ": it must be from 0 to " + LAST_PORT);
        }
    }

    /**
     * Whether this machine alone can reach it.
     *
     * @return false for an address that others may reach, and for a name that nobody knows
     */
    public boolean isLocal() {
        InetSocketAddress address = new InetSocketAddress(host, port);
        return !address.isUnresolved() && address.getAddress().isLoopbackAddress();
    }

    /**
     * The URL of what listens here.
     *
     * @param taken the port that was taken
     * @return the URL without a path
     */
    public URI uri(int taken) {
        String bracketed = host.contains(":") ? "[" + host + "]" : host;
        return URI.create((tls == null ? "http" : "https") + "://" + bracketed + ":" + taken);
    }
}
