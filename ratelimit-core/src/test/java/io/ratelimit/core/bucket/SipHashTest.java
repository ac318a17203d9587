package io.ratelimit.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SipHashTest {

    /** What Python 3.11 says of the same bytes, in UTF-16 without a mark, under the same key. */
    @ParameterizedTest
    @CsvSource({
        "a, -7264007431688190766",
        "ab, 3201674266311268595",
        "abc, -4445224580031040541",
        "abcd, -3836721697479483590",
        "user:alice5, 37705000317392154",
        "ключ-с-юникодом, -4262956601121451706",
        "0123456789abcdefghijklmnopqrstuvwxyz, -3445482414812950125"
    })
    void agreesWithAnotherImplementation(String text, long hash) {
        assertThat(new SipHash(0, 0).of(text)).isEqualTo(hash);
    }

    @Test
    void agreesOnTextsWhoseLengthDoesNotFitAByte() {
        assertThat(new SipHash(0, 0).of("x".repeat(1_000))).isEqualTo(7410696962506893048L);
    }

    @Test
    void tellsApartWhatOtherHashesMerge() {
        SipHash hash = SipHash.ofRandomKey();
        assertThat(hash.of("\ud800")).isNotEqualTo(hash.of("?")).isNotEqualTo(hash.of("\udc00"));
        assertThat(hash.of("\u0141")).isNotEqualTo(hash.of("A"));
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
