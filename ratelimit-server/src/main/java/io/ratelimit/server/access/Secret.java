package io.ratelimit.server.access;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * Something that only its bearer knows: 256 random bits, of which the database has a hash. A fast hash does, since nobody
 * can try so many.
 *
 * @param text what the bearer sends
 */
record Secret(String text) {

    private static final int BYTES = 32;

    static Secret random(String prefix, SecureRandom random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return new Secret(prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    String hash() {
        return Hashing.sha256().hashString(text, StandardCharsets.UTF_8).toString();
    }

    /** Never the text: it must not get into a log. */
    @Override
    public String toString() {
        return "Secret";
    }
}
