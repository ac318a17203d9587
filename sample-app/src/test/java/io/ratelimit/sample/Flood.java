package io.ratelimit.sample;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.util.Random;
import java.util.concurrent.Callable;

/** Requests of clients who were never seen before, as fast as one connection can: many are sent before an answer is read. */
final class Flood implements Callable<Integer> {

    private static final int AT_ONCE = 100;
    private static final byte[] PROTOCOL = "HTTP/1.1 ".getBytes(US_ASCII);

    private final URI url;
    private final int requests;
    private final Random random;

    /**
     * Prepares a flood.
     *
     * @param url what is asked for
     * @param requests how many times, a multiple of 100
     * @param seed of the clients' names
     */
    Flood(String url, int requests, long seed) {
        this.url = URI.create(url);
        this.requests = requests;
        this.random = new Random(seed);
    }

    /** Sends all, and says how many passed. */
    @Override
    public Integer call() throws IOException {
        int passed = 0;
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            socket.setSoTimeout(60_000);
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (int sent = 0; sent < requests; sent += AT_ONCE) {
                socket.getOutputStream().write(batch());
                passed += passed(in);
            }
        }
        return passed;
    }

    private byte[] batch() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < AT_ONCE; i++) {
            text.append("GET ").append(url.getPath()).append(" HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ");
            text.append(Long.toHexString(random.nextLong())).append(Long.toHexString(random.nextLong()));
            text.append("\r\n\r\n");
        }
        return text.toString().getBytes(US_ASCII);
    }

    /** Reads as many status lines as there were requests; what comes between them does not look like one. */
    private static int passed(InputStream in) throws IOException {
        int passed = 0;
        for (int answers = 0; answers < AT_ONCE; answers++) {
            skipPast(in, PROTOCOL);
            passed += new String(in.readNBytes(3), US_ASCII).equals("200") ? 1 : 0;
        }
        return passed;
    }

    private static void skipPast(InputStream in, byte[] text) throws IOException {
        int matched = 0;
        while (matched < text.length) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the server has closed the connection");
            }
            // No part of the text but its beginning looks like its beginning.
            matched = next == text[matched] ? matched + 1 : next == text[0] ? 1 : 0;
        }
    }
}
