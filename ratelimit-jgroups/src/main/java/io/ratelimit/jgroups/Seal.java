package io.ratelimit.jgroups;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.hash.Hashing;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * Seals all that goes to other hosts, and opens what comes from them, so that nobody without the secret reads a message,
 * makes one or changes one, nor sends one again of a process that this one has heard: AES-256 in Galois/Counter Mode (NIST
 * SP 800-38D) under a key of the sending process, numbered. What JGroups would parse is looked at only once it is known to come from a host of the group; its own
 * {@code SYM_ENCRYPT} leaves headers and empty messages open. Thread-safe.
 *
 * <p>A sealed message: a byte for the form, four that tell groups apart, 16 that the sender has drawn, its number in eight,
 * and the message with a tag of 16.
 */
final class Seal {

    private static final byte FORM = 'R';
    private static final byte[] PURPOSE = "ratelimit: messages of a group".getBytes(StandardCharsets.US_ASCII);
    private static final int GROUP_BYTES = 4;
    private static final int SALT_BYTES = 16;
    private static final int SALT_AT = 1 + GROUP_BYTES;
    private static final int NUMBER_AT = SALT_AT + SALT_BYTES;
    private static final int HEAD_BYTES = NUMBER_AT + Long.BYTES;
    private static final int TAG_BYTES = 16;
    private static final int NONCE_BYTES = 12;

    /** How much longer a message gets. */
    static final int OVERHEAD = HEAD_BYTES + TAG_BYTES;

    /** A flood of made-up senders never gets here, since none of them is remembered before it has proved itself. */
    private static final int MOST_SENDERS = 50_000;

    private final SealingKeys keys;
    private final byte[] group;
    private final byte[] salt = new byte[SALT_BYTES];
    private final SecretKey own;
    private final AtomicLong sent = new AtomicLong();
    private final Cache<ByteBuffer, Sender> senders =
            CacheBuilder.newBuilder().maximumSize(MOST_SENDERS).build();

    private record Sender(SecretKey key, ReplayWindow window) {}

    /**
     * Begins to seal under a key of its own.
     *
     * @param secret what all hosts know
     * @param group the name of the group
     */
    Seal(byte[] secret, String group) {
        new SecureRandom().nextBytes(salt);
        this.keys = new SealingKeys(secret, PURPOSE);
        this.own = keys.of(salt);
        this.group = Arrays.copyOf(
                Hashing.sha256().hashString(group, StandardCharsets.UTF_8).asBytes(), GROUP_BYTES);
    }

    byte[] seal(byte[] data, int offset, int length) {
        byte[] sealed = new byte[length + OVERHEAD];
        ByteBuffer.wrap(sealed).put(FORM).put(group).put(salt).putLong(sent.getAndIncrement());
        try {
            cipher(Cipher.ENCRYPT_MODE, own, sealed, 0).doFinal(data, offset, length, sealed, HEAD_BYTES);
            return sealed;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("each Java runtime has AES/GCM", e);
        }
    }

    /** Whether a message is one of a group of another name, which has come here by chance. */
    boolean isOfAnotherGroup(byte[] data, int offset, int length) {
        return isSealed(data, offset, length)
                && !Arrays.equals(data, offset + 1, offset + SALT_AT, group, 0, GROUP_BYTES);
    }

    private static boolean isSealed(byte[] data, int offset, int length) {
        return length >= OVERHEAD && data[offset] == FORM;
    }

    /**
     * Opens a message.
     *
     * @return what was sealed, or null if it has come before
     * @throws AEADBadTagException if it was not sealed under the secret, or has been changed
     */
    byte @Nullable [] open(byte[] data, int offset, int length) throws AEADBadTagException {
        if (!isSealed(data, offset, length)) {
            throw new AEADBadTagException("not sealed");
        }
        ByteBuffer name = ByteBuffer.wrap(Arrays.copyOfRange(data, offset + SALT_AT, offset + NUMBER_AT));
        Sender known = senders.getIfPresent(name);
        Sender sender = known == null ? new Sender(keys.of(name.array()), new ReplayWindow()) : known;
        byte[] opened = open(sender.key(), data, offset, length);
        if (known == null) {
            Sender meanwhile = senders.asMap().putIfAbsent(name, sender);
            sender = meanwhile == null ? sender : meanwhile;
        }
        long number = ByteBuffer.wrap(data, offset + NUMBER_AT, Long.BYTES).getLong();
        return sender.window().admit(number) ? opened : null;
    }

    private static byte[] open(SecretKey key, byte[] data, int offset, int length) throws AEADBadTagException {
        try {
            return cipher(Cipher.DECRYPT_MODE, key, data, offset)
                    .doFinal(data, offset + HEAD_BYTES, length - HEAD_BYTES);
        } catch (AEADBadTagException e) {
            throw e;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("each Java runtime has AES/GCM", e);
        }
    }

    /** Numbers make nonces, and the head is sealed with the rest. */
    private static Cipher cipher(int mode, SecretKey key, byte[] sealed, int offset) throws GeneralSecurityException {
        byte[] nonce = new byte[NONCE_BYTES];
        System.arraycopy(sealed, offset + NUMBER_AT, nonce, NONCE_BYTES - Long.BYTES, Long.BYTES);
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
        cipher.updateAAD(sealed, offset, HEAD_BYTES);
        return cipher;
    }
}
