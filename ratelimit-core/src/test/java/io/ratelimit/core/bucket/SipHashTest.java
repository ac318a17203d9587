package io.ratelimit.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SipHashTest {

    /** What Python 3.11 says of the same texts, by {@code PYTHONHASHSEED=0 python3 -c "print(hash('a'))"}. */
    @ParameterizedTest
    @CsvSource({
        "a, 4644417185603328019",
        "ab, 6148830537548944441",
        "abc, -4594863902769663758",
        "abcd, -2030606670787596663",
        "abcdefg, 7904145750247929094",
        "abcdefgh, 4574395652268504554",
        "user:alice5, -450376794002132759",
        "müller, -6101984874002389424",
        "0123456789abcdefghijklmnopqrstuvwxyz, -9222654091024548209"
    })
    void agreesWithAnotherImplementation(String text, long hash) {
        assertThat(new SipHash(0, 0).of(text)).isEqualTo(hash);
    }

    @Test
    void agreesOnTextsWhoseLengthDoesNotFitAByte() {
        assertThat(new SipHash(0, 0).of("x".repeat(1_000))).isEqualTo(1965751746081988357L);
    }

    /** By a program in Python that agrees with Python itself where the ending is the usual one. */
    @ParameterizedTest
    @CsvSource({"ключ-с-юникодом, 2807547482412794318", "Ł, 1851290832106514688"})
    void readsOtherTextsAsUtf16WithAnEndingOfTheirOwn(String text, long hash) {
        assertThat(new SipHash(0, 0).of(text)).isEqualTo(hash);
    }

    @Test
    void goesOnWhereATextEnds() {
        SipHash hash = SipHash.ofRandomKey();
        String text = "4:user26:abcdefghijklmnopqrstuvwxyz";
        for (int i = 0; i <= text.length(); i++) {
            assertThat(hash.after(text.substring(0, i)).ofLatin1(text.substring(i)))
                    .as("from %s", i)
                    .isEqualTo(hash.of(text));
        }
    }

    @Test
    void readsNoMoreThanLatin1AtOnce() {
        assertThat(SipHash.ofRandomKey().ofLatin1("abcdefghijkĀ")).isEqualTo(SipHash.NOT_LATIN1);
        assertThat(SipHash.ofRandomKey().ofLatin1("Āabcdefghijk")).isEqualTo(SipHash.NOT_LATIN1);
        assertThat(SipHash.ofRandomKey().ofLatin1("abcdefghijkÿ")).isNotEqualTo(SipHash.NOT_LATIN1);
    }

    @Test
    void tellsApartWhatOtherHashesMerge() {
        SipHash hash = SipHash.ofRandomKey();
        assertThat(hash.of("\ud800")).isNotEqualTo(hash.of("?")).isNotEqualTo(hash.of("\udc00"));
        assertThat(hash.of("\u0141")).isNotEqualTo(hash.of("A")).isNotEqualTo(hash.of("A\u0001"));
        assertThat(hash.of("")).isNotEqualTo(hash.of("\0")).isNotEqualTo(hash.of("\0\0\0\0"));
    }

    @Test
    void dependsOnBothHalvesOfItsKey() {
        long hash = new SipHash(1, 2).of("alice");
        assertThat(new SipHash(1, 3).of("alice")).isNotEqualTo(hash);
        assertThat(new SipHash(3, 2).of("alice")).isNotEqualTo(hash);
        assertThat(SipHash.ofRandomKey().of("alice"))
                .isNotEqualTo(SipHash.ofRandomKey().of("alice"));
    }
}
