package io.ratelimit.benchmarks.scale;

import java.nio.charset.StandardCharsets;

/**
 * Names of any number of clients, such as {@code client-000012345}, spelled when they are asked for: each is a string of
 * its own, as a server makes it that reads a request. Immutable; safe for use by any thread.
 */
final class FreshNames {

    private static final String PREFIX = "client-";
    private static final int LENGTH = 16;

    private final byte[] blank = (PREFIX + "0".repeat(LENGTH - PREFIX.length())).getBytes(StandardCharsets.ISO_8859_1);

    String of(long client) {
        byte[] text = blank.clone();
        long rest = client;
        for (int digit = LENGTH - 1; digit >= PREFIX.length(); digit--) {
            text[digit] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return new String(text, StandardCharsets.ISO_8859_1);
    }
}
