package io.ratelimit.server.web;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** A port that nobody listens at, for what must know its port before it starts. */
public final class FreePort {

    private FreePort() {}

    /** Finds one, which stays free for as long as nobody else takes it. */
    public static int find() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
