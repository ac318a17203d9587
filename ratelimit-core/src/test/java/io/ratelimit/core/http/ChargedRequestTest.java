package io.ratelimit.core.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.ratelimit.Decision;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.TestRequest;
import org.junit.jupiter.api.Test;

class ChargedRequestTest {

    private final HttpEngine first = engine();
    private final HttpEngine second = engine();
    private final Decision decision = mock(Decision.class);

    private static HttpEngine engine() {
        return new HttpEngine(mock(RateLimitEngine.class), mock(HttpAnswers.class));
    }

    private ChargedRequest mark(HttpEngine http, Object attribute) {
        return ChargedRequest.mark(http, TestRequest.get("/"), decision, attribute);
    }

    @Test
    void anUnmarkedRequestIsNotFound() {
        assertThat(ChargedRequest.find(first, null)).isNull();
        assertThat(ChargedRequest.find(first, "somebody else's attribute")).isNull();
    }

    @Test
    void anotherEnginesMarkIsNotFound() {
        assertThat(ChargedRequest.find(second, mark(first, null))).isNull();
    }

    @Test
    void marksOfTwoEnginesStandBesideEachOther() {
        ChargedRequest both = mark(second, mark(first, null));
        assertThat(ChargedRequest.find(first, both)).isNotNull();
        assertThat(ChargedRequest.find(second, both)).isSameAs(both);
    }

    @Test
    void anExtendedDecisionKeepsTheMarksOfOtherEngines() {
        Decision extended = mock(Decision.class);
        ChargedRequest both = mark(second, mark(first, null)).withDecision(extended);
        assertThat(both.decision()).isSameAs(extended);
        assertThat(ChargedRequest.find(first, both)).isNotNull();
    }
}
