package io.ratelimit.core.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.RulesText;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EngineStatusTest {

    @Test
    void rulesThatAreRefusedAreToldWithTheirMistakes() {
        RulesText rules = new RulesText("service: s\nrules: [{ name: a, limits: [2/fortnight], keys: ip }]\n");
        try (RateLimitEngine engine = RateLimitEngine.builder().rules(rules).build()) {
            engine.start();
            assertThat(status(engine, "application/json"))
                    .startsWith("{\"ready\":false,")
                    .containsPattern("\"error\":\"[^\"]+ \\(and 1 more\\)\",\"errors\":\\[\"[^\"]+\",\"[^\"]+\"\\],");
        }
    }

    @Test
    void whatIsWrongAroundTheEngineIsToldBesideWhatIsWrongWithIt() {
        RulesText rules = new RulesText("service: s\nrules: [{ name: a, limits: [2/s] }]\n");
        try (RateLimitEngine engine = RateLimitEngine.builder().rules(rules).build()) {
            engine.start();
            OperatorAnswers answers = OperatorAnswers.preferredBy(List.of("text/plain"));
            assertThat(new String(
                            answers.status(engine, List.of("The door is open")).body(), UTF_8))
                    .startsWith("ready, DEGRADED\n  The door is open\n");
            assertThat(new String(answers.status(engine, List.of()).body(), UTF_8))
                    .startsWith("ready, UP\n");
        }
    }

    @Test
    void theVersionInForceIsToldByItsName() throws Exception {
        byte[] content = "service: s\nrules: [{ name: a, limits: [2/s] }]\n".getBytes(UTF_8);
        RulesSource named = mock(RulesSource.class);
        when(named.location()).thenReturn("table");
        try (RateLimitEngine engine = RateLimitEngine.builder().rules(named).build()) {
            when(named.retrieve(null)).thenReturn(Optional.of(new RulesDocument("table", content, "tag", 7, "17")));
            engine.start();
            assertThat(status(engine, "application/json")).contains("\"version\":7,\"versionName\":\"17\",");
            assertThat(status(engine, "text/plain")).contains("rules: 1 of service s, version 17 (7) since 2");
        }
    }

    private static String status(RateLimitEngine engine, String type) {
        return new String(
                OperatorAnswers.preferredBy(List.of(type)).status(engine).body(), UTF_8);
    }
}
