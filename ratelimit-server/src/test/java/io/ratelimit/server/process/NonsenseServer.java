package io.ratelimit.server.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Something that answers each connection alike, whatever is asked, and closes it. */
record NonsenseServer(ServerSocket socket) implements AutoCloseable {

    static NonsenseServer saying(String answer) throws IOException {
        NonsenseServer server = new NonsenseServer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        Thread thread = new Thread(() -> server.answer(answer.getBytes(StandardCharsets.ISO_8859_1)));
        thread.setDaemon(true);
        thread.start();
        return server;
    }

    private void answer(byte[] answer) {
        while (!socket.isClosed()) {
            try (Socket caller = socket.accept()) {
                caller.getInputStream().read(new byte[8_192]);
                caller.getOutputStream().write(answer);
            } catch (IOException e) {
                // The caller, or the test, is over.
            }
        }
    }

    int port() {
        return socket.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
