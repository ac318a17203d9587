package io.ratelimit.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotBlank;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryStringTest {

    private static List<String> values(String raw) {
        return new QueryString(raw).values("a");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "a=1               | 1",
                "b=2&a=1           | 1",
                "&&a=1&&           | 1",
                "a=1=2             | 1=2",
                "a=1;b=2           | 1;b=2",
                "a=b+c             | b c",
                "a=b%2Bc           | b+c",
                "a=%26%3d%25       | &=%",
                "a=%C3%A9          | é",
                "a=é               | é",
                "a=%F0%9F%98%80    | 😀",
                "%61=1             | 1",
                "a=%               | %",
                "a=%4              | %4",
                "a=%zz%4g%g4       | %zz%4g%g4",
                "a=%%34            | %4",
                "a=%u0041          | %u0041",
                "a=%\u0661\u0661   | %\u0661\u0661",
                "a=%FF             | \ufffd",
                "a=%C3             | \ufffd"
            })
    void aValueIsDecodedAsAFormAndWhatIsMalformedIsText(String raw, String value) {
        assertThat(values(raw)).containsExactly(value);
    }

    @Test
    void allValuesAreFoundInOrder() {
        assertThat(values("a=1&b=2&a&a=3&A=4&a=")).containsExactly("1", "", "3", "");
    }

    @Test
    void whereThereIsNoQueryThereAreNoValues() {
        assertThat(values(null)).isEmpty();
        assertThat(values("")).isEmpty();
        assertThat(values("=1&&=&?a=1")).isEmpty();
    }

    @Test
    void noPaddingHidesAParameterThatTheApplicationWouldRead() {
        assertThat(values("&".repeat(500) + "b&".repeat(1_000) + "a=1")).containsExactly("1");
        assertThat(values("b=" + "%41".repeat(100_000) + "&a=1")).containsExactly("1");
    }

    @Property(tries = 300)
    void whatAFormEncodesIsRead(
            @ForAll @NotBlank @StringLength(max = 20) String name,
            @ForAll @Size(max = 5) List<@StringLength(max = 20) String> values) {
        StringBuilder raw = new StringBuilder("other=1");
        for (String value : values) {
            raw.append('&').append(encoded(name)).append('=').append(encoded(value));
        }
        List<String> sent = values.stream().map(QueryStringTest::wellFormed).toList();
        if (!name.equals("other")) {
            assertThat(new QueryString(raw.toString()).values(wellFormed(name))).isEqualTo(sent);
        }
    }

    @Property(tries = 300)
    void noQueryThrows(@ForAll long seed) {
        Random random = new Random(seed);
        StringBuilder raw = new StringBuilder();
        for (int i = random.nextInt(60); i > 0; i--) {
            raw.append("%&=+a1fF\u00e9\ud83d;".charAt(random.nextInt(11)));
        }
        assertThat(new QueryString(raw.toString()).values("a")).doesNotContainNull();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Surrogates that stand alone have no UTF-8. */
    private static String wellFormed(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
