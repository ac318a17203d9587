package io.ratelimit.core.bucket;

import java.security.SecureRandom;

/**
 * A keyed hash of text that nobody can aim who does not know the key: SipHash-1-3, with one round for each word and
 * three at the end (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012; the variant of 1 and 3 rounds is
 * what the tables of Rust and Python use). A text is read as ISO 8859-1, eight characters to a word, where all of it can
 * be, and as UTF-16 in little-endian order elsewhere; the hash ends by another constant then, so that no text of one
 * kind can be made to look like one of the other. Allocates nothing that lasts. Immutable; safe for use by any thread.
 */
final class SipHash {

    /** What {@link #ofLatin1} answers for a text that is not ISO 8859-1; a hash of one that is may be the same. */
    static final long NOT_LATIN1 = 0;

    private static final int LARGEST_LATIN1 = 0xff;
    private static final long END_OF_LATIN1 = 0xff;
    private static final long END_OF_UTF16 = 0xee;
    private static final int UNITS_PER_WORD = Long.BYTES / Character.BYTES;

    /** Where hashing begins: after the key, and after the {@linkplain #after start} of a text. */
    private final SipRounds begin;

    /** What of the start fills no word yet, how many characters that is, and how many there were in all. */
    private final long begunWord;

    private final int begunCount;
    private final int readBefore;

    /**
     * A hash under a key.
     *
     * @param k0 the first half of the key
     * @param k1 the second half
     */
    SipHash(long k0, long k1) {
        this(SipRounds.ofKey(k0, k1), 0, 0, 0);
    }

    private SipHash(SipRounds begin, long begunWord, int begunCount, int readBefore) {
        this.begin = begin;
        this.begunWord = begunWord;
        this.begunCount = begunCount;
        this.readBefore = readBefore;
    }

    /** A hash under a key that nobody knows. */
    static SipHash ofRandomKey() {
        SecureRandom random = new SecureRandom();
        return new SipHash(random.nextLong(), random.nextLong());
    }

    /**
     * The hash that goes on where a text ends: what it says of the rest of a text, this one says of the whole.
     *
     * @param start how texts start, in ISO 8859-1
     * @return a hash for {@link #ofLatin1}
     */
    SipHash after(String start) {
        SipRounds rounds = begin.copy();
        int words = start.length() / Long.BYTES;
        for (int i = 0; i < words; i++) {
            rounds.absorb(word(start, i * Long.BYTES, Long.BYTES, Byte.SIZE));
        }
        int rest = start.length() % Long.BYTES;
        return new SipHash(rounds, word(start, words * Long.BYTES, rest, Byte.SIZE), rest, start.length());
    }

    /**
     * The hash of a text.
     *
     * @param text any text
     * @return 64 bits
     */
    long of(String text) {
        return isLatin1(text) ? ofLatin1(text) : ofUtf16(text);
    }

    static boolean isLatin1(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > LARGEST_LATIN1) {
                return false;
            }
        }
        return true;
    }

    /**
     * The hash of a text in ISO 8859-1, which is read once. Has its rounds written out, twice: so nothing is
     * allocated, whatever a compiler makes of it, and one loop for all takes longer than two.
     *
     * @param text any text
     * @return 64 bits, or {@link #NOT_LATIN1}
     */
    long ofLatin1(String text) {
        long a = begin.a;
        long b = begin.b;
        long c = begin.c;
        long d = begin.d;
        int length = text.length();
        int words = (begunCount + length) / Long.BYTES;
        int seen = 0;
        int from = 0;
        int shift = begunCount * Byte.SIZE;
        long word = begunWord;
        for (int i = 0; i <= words; i++) {
            for (; shift < Long.SIZE && from < length; shift += Byte.SIZE) {
                int unit = text.charAt(from++);
                seen |= unit;
                word |= (long) unit << shift;
            }
            word |= i == words ? (long) (readBefore + length) << 56 : 0;
            d ^= word;
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
            word = 0;
            shift = 0;
        }
        c ^= END_OF_LATIN1;
        for (int i = 0; i < 3; i++) {
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
        return seen > LARGEST_LATIN1 ? NOT_LATIN1 : a ^ b ^ c ^ d;
    }

    private long ofUtf16(String text) {
        SipRounds rounds = begin.copy();
        int length = text.length();
        int words = length / UNITS_PER_WORD;
        for (int i = 0; i < words; i++) {
            rounds.absorb(word(text, i * UNITS_PER_WORD, UNITS_PER_WORD, Character.SIZE));
        }
        long rest = word(text, words * UNITS_PER_WORD, length % UNITS_PER_WORD, Character.SIZE);
        rounds.absorb(rest | (2L * length) << 56);
        return rounds.end(END_OF_UTF16);
    }

    private static long word(String text, int from, int count, int bits) {
        long word = 0;
        for (int i = 0; i < count; i++) {
            word |= (long) text.charAt(from + i) << (bits * i);
        }
        return word;
    }
}
