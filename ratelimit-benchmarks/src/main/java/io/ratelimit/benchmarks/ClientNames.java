package io.ratelimit.benchmarks;

import java.nio.charset.StandardCharsets;

/**
 * Names of clients such as {@code client-000012345}. Each call makes a string of its own, as a server does that reads a
 * request: a string that was looked up before would bring its hash with it. Immutable; safe for use by any thread.
 */
final class ClientNames {

    private static final byte[] PREFIX = "client-".getBytes(StandardCharsets.ISO_8859_1);
    private static final int LENGTH = 16;

    private final byte[] text;

    ClientNames(int clients) {
        text = new byte[Math.multiplyExact(clients, LENGTH)];
        for (int client = 0; client < clients; client++) {
            write(client);
        }
    }

    String of(int client) {
        return new String(text, client * LENGTH, LENGTH, StandardCharsets.ISO_8859_1);
    }

    private void write(int client) {
        int start = client * LENGTH;
        System.arraycopy(PREFIX, 0, text, start, PREFIX.length);
        int rest = client;
        for (int digit = start + LENGTH - 1; digit >= start + PREFIX.length; digit--) {
            text[digit] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }
}
