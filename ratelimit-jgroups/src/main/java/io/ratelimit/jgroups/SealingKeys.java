package io.ratelimit.jgroups;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Keys that follow from a secret that all hosts know: one for each process, so that no two of them ever number their messages
 * under the same key. HKDF with HMAC-SHA-256 (RFC 5869, sections 2.2 and 2.3), of one block. Immutable.
 */
final class SealingKeys {

    private static final String HMAC = "HmacSHA256";

    private final byte[] secret;
    private final byte[] firstBlock;

    /**
     * Keys for a purpose.
     *
     * @param secret what all hosts know
     * @param purpose what the keys are for; other purposes have other keys
     */
    SealingKeys(byte[] secret, byte[] purpose) {
        this.secret = secret.clone();
        this.firstBlock = Arrays.copyOf(purpose, purpose.length + 1);
        firstBlock[purpose.length] = 1;
    }

    /**
     * The key of one process.
     *
     * @param salt what that process has drawn
     */
    SecretKey of(byte[] salt) {
        return new SecretKeySpec(hmac(hmac(salt, secret), firstBlock), "AES");
    }

    private static byte[] hmac(byte[] key, byte[] message) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac.doFinal(message);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("each Java runtime has " + HMAC, e);
        }
    }
}
