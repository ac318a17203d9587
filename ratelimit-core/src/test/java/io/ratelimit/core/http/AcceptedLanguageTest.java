package io.ratelimit.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceptedLanguageTest {

    private static final List<Locale> LANGUAGES = Arrays.stream("en de fr es pt-BR zh-Hant".split(" "))
            .map(Locale::forLanguageTag)
            .toList();

    private static String choose(String... lines) {
        return AcceptedLanguage.choose(List.of(lines), LANGUAGES)
                .map(Locale::toLanguageTag)
                .orElse("none");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "de | de",
                "DE | de",
                "de-AT | de",
                "de-Latn-AT-1996 | de",
                "fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5 | fr",
                "en;q=0.3, de;q=0.7, fr;q=0.5 | de",
                "fr, de | fr",
                "de, fr | de",
                "it, es;q=0.2 | es",
                "it | none",
                "it, * | en",
                "en;q=0, * | de",
                "en;q=0, de;q=0.000, *;q=0.1 | fr",
                "de;q=0, de-AT, fr;q=0.1 | fr",
                "de;q=0 | none",
                "pt | pt-BR",
                "pt-PT | none",
                "pt-br | pt-BR",
                "zh | zh-Hant",
                "zh-Hant-TW | zh-Hant",
                "deu | none",
                "'' | none",
                ";;,,q=, de;q=zero;q | de",
                "*-CH, es | es",
                "-, --, de- | de"
            })
    void theClientsWeightsDecide(String accept, String expected) {
        assertThat(choose(accept)).isEqualTo(expected);
    }

    @Test
    void severalLinesAreOneList() {
        assertThat(choose("it, es;q=0.5", "fr;q=0.8")).isEqualTo("fr");
    }

    @Test
    void whoAcceptsAnythingGetsTheFirst() {
        assertThat(choose()).isEqualTo("en");
    }

    @Test
    void aListWithoutAnEndIsNotReadToIt() {
        assertThat(choose("it,".repeat(63) + "de, fr")).isEqualTo("de");
        assertThat(choose("it,".repeat(64) + "de, fr")).isEqualTo("none");
    }
}
