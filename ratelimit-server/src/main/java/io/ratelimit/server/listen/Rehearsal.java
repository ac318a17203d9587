package io.ratelimit.server.listen;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * Tries a port that is opened later, so that what is wrong with it is said before anything else begins.
 *
 * @param place the port
 */
public record Rehearsal(Listening place) {

    /**
     * Sees whether it would be possible to listen there now: whether the port is free and the keys can be read.
     *
     * @throws ServerStartException if it is not
     */
    public void run() {
        try (ServerSocket socket = new ServerSocket()) {
            // Connections that have just been closed here do not stand in the way.
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(place.host(), place.port()));
        } catch (IOException e) {
            throw new StartFailures(place).cannotListen(e);
        }
        TlsSettings tls = place.tls();
        if (tls != null) {
            try {
                tls.certificate().start();
            } catch (Exception e) {
                throw new StartFailures(place).cannotStart(e);
            }
        }
    }
}
