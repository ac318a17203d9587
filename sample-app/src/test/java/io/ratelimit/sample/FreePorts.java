package io.ratelimit.sample;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of the loopback address that nobody uses; below the range that the system gives to clients. */
final class FreePorts {

    private static final int LOWEST = 10_000;
    private static final int HIGHEST = 30_000;

    private FreePorts() {}

    /** The first of so many consecutive free ports. */
    static int consecutive(int count) {
        while (true) {
            int first = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            if (areFree(first, count)) {
                return first;
            }
        }
    }

    private static boolean areFree(int first, int count) {
        for (int port = first; port < first + count; port++) {
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                socket.setReuseAddress(true);
            } catch (IOException e) {
                return false;
            }
        }
        return true;
    }
}
