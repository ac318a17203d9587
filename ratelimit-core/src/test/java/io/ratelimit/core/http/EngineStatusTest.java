package io.ratelimit.core.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.RulesText;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineStatusTest {

    @Test
    void rulesThatAreRefusedAreToldWithTheirMistakes() {
        RulesText rules = new RulesText("service: s\nrules: [{ name: a, limits: [2/fortnight], keys: ip }]\n");
        try (RateLimitEngine engine = RateLimitEngine.builder().rules(rules).build()) {
            engine.start();
            String json = new String(
                    OperatorAnswers.preferredBy(List.of()).status(engine).body(), UTF_8);
            assertThat(json)
                    .startsWith("{\"ready\":false,")
                    .containsPattern("\"error\":\"[^\"]+ \\(and 1 more\\)\",\"errors\":\\[\"[^\"]+\",\"[^\"]+\"\\],");
        }
    }
}
