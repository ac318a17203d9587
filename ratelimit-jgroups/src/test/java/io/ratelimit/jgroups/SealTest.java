package io.ratelimit.jgroups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import javax.crypto.AEADBadTagException;
import org.junit.jupiter.api.Test;

class SealTest {

    private static final byte[] SECRET = "a secret of the hosts".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] MESSAGE = "xx what was spent xx".getBytes(StandardCharsets.US_ASCII);

    private final Seal one = new Seal(SECRET, "orders");
    private final Seal two = new Seal(SECRET, "orders");

    private byte[] sealed() {
        return one.seal(MESSAGE, 3, MESSAGE.length - 6);
    }

    private static byte[] open(Seal seal, byte[] sealed) throws AEADBadTagException {
        return seal.open(sealed, 0, sealed.length);
    }

    @Test
    void aHostWithTheSecretOpensWhatAnotherHasSealed() throws Exception {
        byte[] sealed = sealed();
        assertThat(sealed).hasSize(MESSAGE.length - 6 + Seal.OVERHEAD);
        assertThat(new String(sealed, StandardCharsets.ISO_8859_1)).doesNotContain("spent");
        assertThat(new String(open(two, sealed), StandardCharsets.US_ASCII)).isEqualTo("what was spent");
        byte[] inside = new byte[sealed.length + 9];
        byte[] next = sealed();
        System.arraycopy(next, 0, inside, 5, next.length);
        assertThat(new String(two.open(inside, 5, next.length), StandardCharsets.US_ASCII))
                .isEqualTo("what was spent");
    }

    @Test
    void anEmptyMessageIsSealedAsWell() throws Exception {
        byte[] sealed = one.seal(MESSAGE, 0, 0);
        assertThat(sealed).hasSize(Seal.OVERHEAD);
        assertThat(open(two, sealed)).isEmpty();
    }

    @Test
    void theSameMessageNeverLooksTheSame() {
        assertThat(sealed()).isNotEqualTo(sealed());
        byte[] byAnother = two.seal(MESSAGE, 3, MESSAGE.length - 6);
        assertThat(byAnother).isNotEqualTo(sealed());
    }

    @Test
    void whatComesAgainIsNotHeard() throws Exception {
        byte[] sealed = sealed();
        assertThat(open(two, sealed)).isNotNull();
        assertThat(open(two, sealed)).isNull();
    }

    @Test
    void aHostWithAnotherSecretOpensNothing() {
        byte[] sealed = sealed();
        Seal stranger = new Seal("another".getBytes(StandardCharsets.US_ASCII), "orders");
        assertThatThrownBy(() -> open(stranger, sealed)).isInstanceOf(AEADBadTagException.class);
        assertThat(stranger.isOfAnotherGroup(sealed, 0, sealed.length)).isFalse();
    }

    @Test
    void aMessageOfAnotherGroupIsKnownAsOne() {
        byte[] sealed = sealed();
        assertThat(new Seal(SECRET, "payments").isOfAnotherGroup(sealed, 0, sealed.length))
                .isTrue();
        assertThat(two.isOfAnotherGroup(MESSAGE, 0, MESSAGE.length)).isFalse();
    }

    @Test
    void eachChangedBitIsNoticed() {
        byte[] sealed = sealed();
        for (int bit = 0; bit < sealed.length * Byte.SIZE; bit++) {
            byte[] changed = sealed.clone();
            changed[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            assertThatThrownBy(() -> open(two, changed)).as("bit " + bit).isInstanceOf(AEADBadTagException.class);
        }
    }

    @Test
    void anythingElseIsNotOpened() {
        Random random = new Random(1);
        byte[] sealed = sealed();
        for (int length = 0; length < sealed.length; length++) {
            byte[] cut = Arrays.copyOf(sealed, length);
            assertThatThrownBy(() -> open(two, cut)).isInstanceOf(AEADBadTagException.class);
            byte[] noise = new byte[length * 10];
            random.nextBytes(noise);
            assertThatThrownBy(() -> open(two, noise)).isInstanceOf(AEADBadTagException.class);
        }
    }

    /** Test case 1 of RFC 5869, appendix A.1, says the first 32 bytes of what HKDF makes of these. */
    @Test
    void keysAreMadeAsRfc5869Says() {
        byte[] input = new byte[22];
        Arrays.fill(input, (byte) 0x0b);
        byte[] salt = HexFormat.of().parseHex("000102030405060708090a0b0c");
        byte[] info = HexFormat.of().parseHex("f0f1f2f3f4f5f6f7f8f9");
        assertThat(new SealingKeys(input, info).of(salt).getEncoded())
                .isEqualTo(HexFormat.of().parseHex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"));
    }
}
