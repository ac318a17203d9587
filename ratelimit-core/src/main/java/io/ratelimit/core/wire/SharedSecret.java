package io.ratelimit.core.wire;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;

/** What hosts that share buckets know and nobody else. Immutable. */
public final class SharedSecret {

    private static final int BYTES = 32;
    private static final int FINGERPRINT_BYTES = 8;
    private static final byte[] FINGERPRINT = {'f', 'p'};

    private final byte[] bytes;

    /**
     * A secret that is known.
     *
     * @param bytes the secret, copied
     */
    public SharedSecret(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    /**
     * A secret that nobody knows yet.
     *
     * @return a new one
     */
    public static SharedSecret random() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return new SharedSecret(bytes);
    }

    /**
     * A secret that all hosts are configured with.
     *
     * @param text the configured text
     * @return the secret
     */
    public static SharedSecret of(String text) {
        return new SharedSecret(
                Hashing.sha256().hashString(text, StandardCharsets.UTF_8).asBytes());
    }

    /**
     * The secret itself.
     *
     * @return a copy
     */
    public byte[] bytes() {
        return bytes.clone();
    }

    /**
     * What tells whether two hosts have the same secret, and says nothing else of it.
     *
     * @return the beginning of an HMAC-SHA-256 (RFC 2104)
     */
    public byte[] fingerprint() {
        byte[] mac = Hashing.hmacSha256(bytes).hashBytes(FINGERPRINT).asBytes();
        return Arrays.copyOf(mac, FINGERPRINT_BYTES);
    }
}
