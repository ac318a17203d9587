package io.ratelimit.benchmarks.filter;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Asks for one application after the other, over the same connections. Not thread-safe. */
final class Client implements Closeable {

    private static final int CONNECTIONS = 2;

    /** So many requests are under way on each connection. */
    private static final int AT_ONCE = 16;

    private final List<HttpConnection> connections = new ArrayList<>();

    /**
     * Connects.
     *
     * @param port of the loopback interface
     * @throws IOException if nobody listens there
     */
    Client(int port) throws IOException {
        for (int i = 0; i < CONNECTIONS; i++) {
            connections.add(new HttpConnection(port));
        }
    }

    /**
     * Sends requests and checks the answers.
     *
     * @param least how many
     * @return how many there were, a multiple of what is under way at once
     * @throws IOException if an answer is not what it should be
     */
    int ask(Application application, int least) throws IOException {
        byte[] requests = request(application).repeat(AT_ONCE).getBytes(StandardCharsets.US_ASCII);
        int sent = 0;
        while (sent < least) {
            for (HttpConnection connection : connections) {
                connection.send(requests);
            }
            for (HttpConnection connection : connections) {
                check(application, connection.receive(AT_ONCE));
            }
            sent += CONNECTIONS * AT_ONCE;
        }
        return sent;
    }

    /**
     * Sends requests one at a time.
     *
     * @return microseconds within which 99 of 100 were answered
     * @throws IOException if an answer is not what it should be
     */
    double p99Micros(Application application, int requests) throws IOException {
        byte[] request = request(application).getBytes(StandardCharsets.US_ASCII);
        HttpConnection connection = connections.get(0);
        long[] nanos = new long[requests];
        for (int i = 0; i < requests; i++) {
            long before = System.nanoTime();
            connection.send(request);
            check(application, connection.receive(1));
            nanos[i] = System.nanoTime() - before;
        }
        Arrays.sort(nanos);
        return nanos[(int) Math.ceil(requests * 0.99) - 1] / 1e3;
    }

    private static String request(Application application) {
        return "GET " + application.target()
                + " HTTP/1.1\r\nHost: localhost\r\nUser-Agent: benchmark\r\nAccept: */*\r\n\r\n";
    }

    private static void check(Application application, String head) throws IOException {
        if (head.contains("\r\nRateLimit: ") != application.variant().tellsLimits()) {
            throw new IOException(application.variant().title() + " answers with " + head);
        }
    }

    @Override
    public void close() throws IOException {
        for (HttpConnection connection : connections) {
            connection.close();
        }
    }
}
