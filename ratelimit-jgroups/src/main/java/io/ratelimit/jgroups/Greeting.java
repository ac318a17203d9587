package io.ratelimit.jgroups;

import io.ratelimit.core.wire.SharedSecret;
import io.ratelimit.store.HostGroup;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What hosts must have in common to hear one another, as they tell it when they meet.
 *
 * @param topology who tells whom, by its word
 * @param fingerprint of the secret under which names of clients are hashed, in hexadecimal digits
 */
record Greeting(String topology, String fingerprint) {

    private static final int LONGEST = 100;

    static Greeting of(HostGroup.@Nullable Topology topology, SharedSecret secret) {
        return new Greeting(GroupSettings.word(topology), HexFormat.of().formatHex(secret.fingerprint()));
    }

    byte[] toBytes() {
        return (topology + " " + fingerprint).getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Reads one.
     *
     * @return null if it is of another version
     */
    static @Nullable Greeting of(byte[] bytes) {
        if (bytes.length > LONGEST) {
            return null;
        }
        String[] words = new String(bytes, StandardCharsets.US_ASCII).split(" ", -1);
        boolean known = words.length >= 2 && words[0].matches("[a-z]+") && words[1].matches("[0-9a-f]+");
        return known ? new Greeting(words[0], words[1]) : null;
    }
}
