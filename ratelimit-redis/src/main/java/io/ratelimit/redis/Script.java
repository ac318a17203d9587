package io.ratelimit.redis;

import com.google.common.hash.Hashing;
import com.google.common.io.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** What is done where the data is. Redis knows a script by its digest once it has seen it, until it is restarted. */
enum Script {
    DECIDE("decide.lua"),
    SWAP("swap.lua"),
    SECRET("secret.lua"),
    PRESENT("present.lua");

    private final String text;
    private final String digest;

    Script(String file) {
        try {
            this.text = Resources.toString(Resources.getResource(Script.class, file), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.digest = sha1(text);
    }

    /** It names a script here, and protects nothing. */
    @SuppressWarnings("deprecation")
    private static String sha1(String text) {
        return Hashing.sha1().hashString(text, StandardCharsets.US_ASCII).toString();
    }

    String text() {
        return text;
    }

    String digest() {
        return digest;
    }
}
