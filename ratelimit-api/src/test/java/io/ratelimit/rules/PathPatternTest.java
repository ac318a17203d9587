package io.ratelimit.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathPatternTest {

    @Test
    void aPatternIsReadSegmentBySegment() {
        assertThat(PathPattern.parse("/api/*/orders/**").segments()).containsExactly("api", "*", "orders", "**");
    }

    @Test
    void emptySegmentsDoNotCount() {
        assertThat(PathPattern.parse("//api///orders/").segments()).containsExactly("api", "orders");
        assertThat(PathPattern.parse("/").segments()).isEmpty();
    }

    @Test
    void aNamedSegmentMatchesAnyOneSegment() {
        assertThat(PathPattern.parse("/users/{user-id}").segments()).containsExactly("users", "*");
    }

    @Test
    void thePatternReadsAsItWasWritten() {
        assertThat(PathPattern.parse("/users/{id}/")).hasToString("/users/{id}/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "api", "*", "**/x", " /api"})
    void aPatternStartsWithASlash(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PathPattern.parse(text))
                .withMessageContaining("starts with '/'");
    }

    @ParameterizedTest
    @CsvSource({
        "/a/b*, b*",
        "/***, ***",
        "/{}, {}",
        "/{a}b, {a}b",
        "/a}, a}",
        "/{a b}, {a b}",
        "/a/../b, ..",
        "/./a, .",
        "/a;v=1, a;v=1",
        "/a?q, a?q",
        "/a#f, a#f"
    })
    void aSegmentThatCanNeverMatchIsRefusedByName(String text, String segment) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PathPattern.parse(text))
                .withMessageContaining("'" + segment + "'");
    }
}
