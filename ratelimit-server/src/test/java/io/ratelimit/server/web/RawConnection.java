package io.ratelimit.server.web;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A connection to a server of this machine, for requests that no client would send. Each character is one byte. */
public final class RawConnection implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 20_000;
    private static final Duration LONGEST_DRIP = Duration.ofSeconds(15);

    private final Socket socket;

    /** Connects. */
    public RawConnection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
    }

    /** All that a server answers to a request before it closes the connection. */
    public static String exchange(int port, String request) throws IOException {
        try (RawConnection connection = new RawConnection(port)) {
            connection.send(request);
            return connection.rest();
        }
    }

    /** Sends bytes. */
    public void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** So many bytes of the answer, or fewer where it ends. */
    public String read(int bytes) throws IOException {
        return new String(socket.getInputStream().readNBytes(bytes), StandardCharsets.ISO_8859_1);
    }

    /** The head of an answer whose body is read too, by its Content-Length; the next answer may follow. */
    public String answer() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            String next = read(1);
            if (next.isEmpty()) {
                return head.toString();
            }
            head.append(next);
        }
        for (String line : head.toString().split("\r\n")) {
            if (line.startsWith("Content-Length: ")) {
                int length = Integer.parseInt(line.substring("Content-Length: ".length()));
                if (read(length).length() < length) {
                    throw new IOException("the body is cut off");
                }
            }
        }
        return head.toString();
    }

    /** What comes until the server closes the connection. */
    public String rest() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    /** How long it takes until the server answers or cuts the connection, while a byte is sent from time to time. */
    public Duration drip(String one) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        try {
            while (socket.getInputStream().available() == 0 && System.nanoTime() - begin < LONGEST_DRIP.toNanos()) {
                send(one);
                Thread.sleep(100);
            }
        } catch (IOException cut) {
            // As it may be.
        }
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
