package io.ratelimit.server.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ratelimit.Decision;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.explain.DescribedRequest;
import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.web.RunningService;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a click in the console to the decisions of hosts. */
@Tag("browser")
class RulesReachHostsTest {

    private static final String RULES = """
            service: orders
            rules:
              - name: everyone
                match: { path: /api/** }
                limits: [10/h]   # agreed with sales
            """;

    private static final int HOSTS = 3;

    @TempDir
    Path directory;

    private RunningService service;
    private Browser browser;
    private final List<RateLimitEngine> hosts = new ArrayList<>();

    @BeforeEach
    void open() {
        service =
                RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:reached-" + System.nanoTime(), null, null));
        service.publish("orders", RULES);
        browser = Browser.open(service.uri("/"), directory.resolve("profile"));
        browser.signIn(service.admin());
    }

    @AfterEach
    void close() {
        hosts.forEach(RateLimitEngine::close);
        browser.close();
        service.close();
    }

    @Test
    void aRuleChangedInTheBrowserIsInForceOnThreeHostsWithinASecond() {
        startHosts("push", "true", "pollInterval", "1h");
        await().until(() ->
                hosts.stream().allMatch(host -> host.rulesStatus().push().name().equals("CONNECTED")));

        change("3/h");

        await().atMost(Duration.ofSeconds(1)).pollInterval(Duration.ofMillis(5)).until(this::allHaveVersionTwo);
        requireLimitOfThree();
    }

    @Test
    void aRuleChangedInTheBrowserIsInForceWithinAPollWhereNothingIsPushed() {
        startHosts("push", "false", "pollInterval", "2s");

        change("3/h");

        // An interval and its jitter of a fifth.
        await().atMost(Duration.ofMillis(2_400))
                .pollInterval(Duration.ofMillis(5))
                .until(this::allHaveVersionTwo);
        requireLimitOfThree();
    }

    private void startHosts(String... settings) {
        String token = service.token("hosts", "host", "orders");
        for (int i = 0; i < HOSTS; i++) {
            RateLimitEngine host = RateLimitEngine.builder()
                    .rules(service.uri("/v1/services/orders/rules").toString())
                    .setting("rulesToken", token)
                    .setting("hostName", "host-" + i)
                    .setting("lastGoodFile", directory.resolve("host-" + i).toString())
                    .setting(settings[0], settings[1])
                    .setting(settings[2], settings[3])
                    .build();
            hosts.add(host);
            host.start();
        }
    }

    /** As an owner of the service does it. The method returns at the click on the last button. */
    private void change(String limit) {
        browser.go("/services/orders");
        browser.click("everyone");
        browser.find("#limits").clear();
        browser.find("#limits").sendKeys(limit);
        browser.press("Review changes");
        browser.await(() -> !browser.all("#comment").isEmpty());
        assertThat(browser.text()).contains("10/h", "3/h", "agreed with sales");
        browser.find("#comment").sendKeys("Too many of them");
        browser.press("Publish version 2");
    }

    private boolean allHaveVersionTwo() {
        return hosts.stream().allMatch(host -> "2".equals(host.rulesStatus().versionName()));
    }

    private void requireLimitOfThree() {
        DescribedRequest request = DescribedRequest.parse("GET /api/orders user=alice");
        for (RateLimitEngine host : hosts) {
            int passed = 0;
            for (int i = 0; i < 10; i++) {
                Decision decision = host.limiter().decide(request);
                passed += decision.allowed() ? 1 : 0;
            }
            assertThat(passed).isEqualTo(3);
        }
    }
}
