package io.ratelimit.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.ratelimit.Decision;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.explain.DescribedRequest;
import io.ratelimit.server.database.DatabaseSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real hosts that follow a real service, and what it then knows. */
@Tag("cluster")
class HostsThatReportTest {

    private static final String RULES = """
            service: orders
            clients: [user, "header:X-Api-Key", ip]
            rules:
              - name: everyone
                match: { path: /api/** }
                limits: [%s]
            """;

    @TempDir
    Path directory;

    private RunningService service;

    @BeforeEach
    void start() {
        service =
                RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:reports-" + System.nanoTime(), null, null));
        service.publish("orders", RULES.formatted("30/h"));
    }

    @AfterEach
    void stop() {
        service.close();
    }

    /** Some clients send far more than others, as in life. */
    private static List<String> traffic() {
        Random random = new Random(17);
        List<String> requests = new ArrayList<>();
        for (int i = 0; i < 450; i++) {
            int client = (int) Math.abs(random.nextGaussian() * 6);
            requests.add(
                    client % 3 == 0
                            ? "GET /api/orders header:X-Api-Key=secret-key-" + client
                            : "GET /api/orders user=user-" + client);
        }
        return requests;
    }

    private static int refused(RateLimitEngine host) {
        int refused = 0;
        for (String request : traffic()) {
            Decision decision = host.limiter().decide(DescribedRequest.parse(request));
            refused += decision.allowed() ? 0 : 1;
        }
        return refused;
    }

    private RateLimitEngine host(String name) {
        RateLimitEngine host = RateLimitEngine.builder()
                .rules(service.uri("/v1/services/orders/rules").toString())
                .setting("rulesToken", service.token(name, "host", "orders"))
                .setting("hostName", name)
                .setting("lastGoodFile", directory.resolve(name).toString())
                .build();
        host.start();
        return host;
    }

    @Test
    void aReplayPredictsWhatTheSameTrafficMeetsUnderTheDraft() {
        try (RateLimitEngine first = host("first")) {
            int before = refused(first);
            await().atMost(Duration.ofSeconds(15))
                    .until(() -> recorded() == traffic().size());

            JsonNode replay = service.post("/v1/services/orders/replay", service.admin(), RULES.formatted("12/h"))
                    .json();

            service.publish("orders", RULES.formatted("12/h"));
            try (RateLimitEngine second = host("second")) {
                int after = refused(second);
                assertThat(replay.at("/reallyRefused/count").asInt()).isEqualTo(before);
                assertThat(replay.at("/inForce/refused/count").asInt()).isEqualTo(before);
                assertThat(replay.at("/draft/refused/count").asDouble()).isCloseTo(after, within(after * 0.01));
                assertThat(after).isGreaterThan(before + 50);
            }
        }
    }

    private int recorded() {
        return service.post("/v1/services/orders/replay", service.admin(), RULES.formatted("30/h"))
                .json()
                .get("recorded")
                .asInt();
    }

    @Test
    void aHostThatReportsIsSeenWithItsVersionRightAfterAReload() {
        try (RateLimitEngine host = host("app-1")) {
            assertThat(host.isReady()).isTrue();
            await().atMost(Duration.ofSeconds(5)).until(() -> state().equals("CURRENT"));

            service.publish("orders", RULES.formatted("31/h"));

            await().atMost(Duration.ofSeconds(2)).until(() -> state().equals("CURRENT"));
        }
    }

    private String state() {
        JsonNode hosts =
                service.get("/v1/services/orders/hosts", service.admin()).json().get("hosts");
        return hosts.isEmpty() ? "" : hosts.get(0).get("state").asText();
    }

    @Test
    void noKeyOfAClientLeavesItsHost() {
        try (RateLimitEngine host = host("app-1")) {
            refused(host);
            await().atMost(Duration.ofSeconds(15)).until(() -> recorded() > 0);

            String replay = service.post("/v1/services/orders/replay", service.admin(), RULES.formatted("1/h"))
                    .body();
            String clients = service.get("/v1/services/orders/activity/everyone/clients", service.admin())
                    .body();

            assertThat(replay).contains("user-1", "X-Api-Key=#").doesNotContain("secret-key");
            assertThat(clients).doesNotContain("secret-key");
        }
    }
}
