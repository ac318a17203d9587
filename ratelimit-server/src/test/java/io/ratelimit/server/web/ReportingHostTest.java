package io.ratelimit.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.explain.DescribedRequest;
import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.web.RunningService.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A host with an engine of its own, and the service that it has its rules from. */
class ReportingHostTest {

    private static final String RULES = """
            service: orders
            clients: [user, "header:X-Api-Key"]
            rules:
              - { name: everyone, match: { path: /api/** }, limits: [4/h] }
            """;

    @TempDir
    private Path directory;

    @Test
    void theServiceShowsAndReplaysWhatAHostHasDecided() {
        try (RunningService service =
                        RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:reporting", null, null));
                RateLimitEngine host = host(service)) {
            host.start();
            for (int i = 0; i < 6; i++) {
                host.limiter().decide(DescribedRequest.parse("GET /api/orders user=alice"));
                host.limiter().decide(DescribedRequest.parse("GET /api/orders header:X-Api-Key=s3cret"));
            }
            // Another version makes the host report at once.
            service.publish("orders", RULES + "# the same\n");
            await().until(() -> sum(service.get("/v1/services/orders/activity", service.admin())
                            .json()
                            .at("/rules/0/refused"))
                    == 4);

            assertThat(service.get("/v1/services/orders/hosts", service.admin())
                            .json()
                            .at("/hosts")
                            .toString())
                    .contains("app-3/");
            String clients = service.get("/v1/services/orders/activity/everyone/clients", service.admin())
                    .json()
                    .toString();
            assertThat(clients).contains("user=alice", "header:x-api-key=#").doesNotContain("s3cret");
            Answer replayed = service.post("/v1/services/orders/replay", service.admin(), RULES.replace("4/h", "2/h"));
            assertThat(replayed.json().at("/inForce/refused/count").asLong())
                    .as(replayed.toString())
                    .isEqualTo(4);
            assertThat(replayed.json().at("/draft/refused/count").asLong()).isEqualTo(8);
        }
    }

    private RateLimitEngine host(RunningService service) {
        service.publish("orders", RULES);
        return RateLimitEngine.builder()
                .rules(service.uri("/v1/services/orders/rules").toString())
                .setting("rulesToken", service.token("hosts", "host", "orders"))
                .setting("hostName", "app-3")
                .setting("logRefusals", "0")
                .setting("lastGoodFile", directory.resolve("lastgood").toString())
                .build();
    }

    private static long sum(JsonNode slots) {
        long sum = 0;
        for (JsonNode slot : slots) {
            sum += slot.asLong();
        }
        return sum;
    }
}
