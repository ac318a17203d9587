package io.ratelimit.core.retrieve;

import com.google.common.hash.Hashing;
import java.net.http.HttpHeaders;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The SHA-256 that an answer says its content has: {@code Repr-Digest: sha-256=:…:} (RFC 9530). Other algorithms are
 * passed over.
 */
final class ReprDigest {

    private static final Pattern SHA_256 = Pattern.compile("sha-256(?:=(.*))?");
    private static final Pattern VALUE = Pattern.compile(":([A-Za-z0-9+/]{43}=):(?: *;[^,]*)?");

    private ReprDigest() {}

    /**
     * Compares content with what its headers say of it.
     *
     * @throws IllegalArgumentException if the digest is not one
     */
    static boolean matches(HttpHeaders headers, byte[] content) {
        String members = String.join(",", headers.allValues("Repr-Digest"));
        // Byte sequences hold no comma.
        return Arrays.stream(members.split(","))
                .map(member -> SHA_256.matcher(member.strip()))
                .filter(Matcher::matches)
                .allMatch(member -> Arrays.equals(
                        digest(String.valueOf(member.group(1))),
                        Hashing.sha256().hashBytes(content).asBytes()));
    }

    private static byte[] digest(String value) {
        Matcher bytes = VALUE.matcher(value);
        if (!bytes.matches()) {
            throw new IllegalArgumentException("'" + value + "' is no SHA-256");
        }
        return Base64.getDecoder().decode(bytes.group(1));
    }
}
