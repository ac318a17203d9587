package io.ratelimit.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Ports of the loopback address that were free a moment ago. */
public final class FreePorts {

    private FreePorts() {}

    /**
     * Finds some.
     *
     * @param count how many
     * @return as many different ports
     * @throws IOException if there are none
     */
    public static List<Integer> find(int count) throws IOException {
        List<Integer> ports = new ArrayList<>(count);
        List<ServerSocket> sockets = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            sockets.add(socket);
            ports.add(socket.getLocalPort());
        }
        for (ServerSocket socket : sockets) {
            socket.close();
        }
        return ports;
    }
}
