package io.ratelimit.core.bucket;

/** The four words that {@link SipHash} mixes, while one text is hashed. Used by one thread. */
final class SipRounds {

    long a;
    long b;
    long c;
    long d;

    private SipRounds(long a, long b, long c, long d) {
        this.a = a;
        this.b = b;
        this.c = c;
        this.d = d;
    }

    static SipRounds ofKey(long k0, long k1) {
        return new SipRounds(
                k0 ^ 0x736f6d6570736575L, k1 ^ 0x646f72616e646f6dL, k0 ^ 0x6c7967656e657261L, k1 ^ 0x7465646279746573L);
    }

    SipRounds copy() {
        return new SipRounds(a, b, c, d);
    }

    void absorb(long word) {
        d ^= word;
        mix();
        a ^= word;
    }

    long end(long constant) {
        c ^= constant;
        mix();
        mix();
        mix();
        return a ^ b ^ c ^ d;
    }

    private void mix() {
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
}
