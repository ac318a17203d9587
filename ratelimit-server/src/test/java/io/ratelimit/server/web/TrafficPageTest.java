package io.ratelimit.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.web.Visitor.Page;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TrafficPageTest {

    private static final String RULES = "service: %s\nrules:\n  - { name: everyone, limits: 10/s }\n";

    private static RunningService service;
    private static Visitor viewer;
    private static String host;

    @BeforeAll
    static void start() {
        service = RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:traffic-page", null, null));
        host = service.token("hosts", "host", "*");
        publish("orders");
        viewer = Visitor.signedIn(service, service.token("vera", "viewer", "orders"));
        new ReportedTraffic("app-1/aaaaaaaa")
                .tag(tag("orders"))
                .counts("everyone", 1_200, 30, 0)
                .counts("exports", 100, 20, 7)
                .refused("everyone", "user=<b>bob</b>", 25)
                .refused("everyone", "user=carol", 5)
                .refused("exports", "user=dave", 20)
                .send(service, "orders", host);
        new ReportedTraffic("app-2/<script>x</script>")
                .tag("\"0-<b>tag</b>\"")
                .error("<img src=x onerror=alert(1)> in line 3")
                .send(service, "orders", host);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static void publish(String name) {
        service.publish(name, RULES.formatted(name));
    }

    private static String tag(String name) {
        return service.get("/v1/services/" + name + "/rules", service.admin()).header("ETag");
    }

    @Test
    void tellsHowFarTheRulesInForceHaveCome() {
        Page page = viewer.open("/services/orders/traffic");

        ConsoleSecurityTest.requireHarmless(page);
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.html()).doesNotContain("<script>x", "<img", "<b>");
        assertThat(page.text())
                .containsSubsequence(
                        "1 of 2 hosts has version 1; 1 has another.",
                        "app-2/<script>x</script>",
                        "another",
                        "<img src=x onerror=alert(1)> in line 3",
                        "app-1/aaaaaaaa",
                        "1",
                        "in force");
    }

    @Test
    void hasTheNumbersOfItsChartsAsTables() {
        assertThat(viewer.open("/services/orders/traffic").text())
                .containsSubsequence("last minute", "1,300", "50", "3.7 %", "7", "last 15 minutes", "1,300")
                .containsSubsequence("last 6 hours", "1,300", "50", "3.7 %", "7");
        assertThat(viewer.open("/services/orders/traffic?rule=exports").text())
                .containsSubsequence("last minute", "100", "20", "17 %", "7");
    }

    @Test
    void saysWhichRuleCountsARequest() {
        Page page = viewer.open("/services/orders/traffic");

        assertThat(page.text()).contains("the one that refused it, or else the one that had least left");
        assertThat(page.html())
                .as("the chart of hours shows the minute that its table counts")
                .containsPattern("resolution=coarse[^>]*data-unfinished=\"0\"");
    }

    @Test
    void namesTheClientsThatAreRefusedMost() {
        assertThat(viewer.open("/services/orders/traffic").text())
                .containsSubsequence(
                        "user=<b>bob</b>", "everyone", "25", "user=dave", "exports", "20", "user=carol", "5");
        assertThat(viewer.open("/services/orders/traffic?rule=exports").text())
                .contains("user=dave")
                .doesNotContain("user=carol");
    }

    @Test
    void givesItsChartsWhatTheyDraw() throws IOException {
        JsonNode all = json("/services/orders/traffic.json");
        JsonNode one = json("/services/orders/traffic.json?rule=exports");

        assertThat(all.get("slotMillis").asLong()).isEqualTo(5_000);
        assertThat(all.get("times")).hasSize(180);
        assertThat(all.get("allowed")).hasSize(180);
        assertThat(sum(all, "allowed")).isEqualTo(1_300);
        assertThat(sum(all, "refused")).isEqualTo(50);
        assertThat(sum(all, "shadow")).isEqualTo(7);
        assertThat(sum(one, "allowed")).isEqualTo(100);
        assertThat(json("/services/orders/traffic.json?resolution=coarse").get("times"))
                .hasSize(360);
    }

    @Test
    void givesItsChartsOnlyWhatIsNewToThem() throws IOException {
        JsonNode all = json("/services/orders/traffic.json");

        JsonNode news =
                json("/services/orders/traffic.json?since=" + all.get("next").asLong());

        assertThat(news.get("times").size()).isBetween(7, 9);
        assertThat(news.get("times").get(0)).isEqualTo(all.get("next"));
        assertThat(sum(news, "allowed")).as("what may still grow comes again").isEqualTo(1_300);
    }

    private static JsonNode json(String path) throws IOException {
        return new ObjectMapper().readTree(viewer.open(path).html());
    }

    private static long sum(JsonNode chart, String field) {
        long sum = 0;
        for (JsonNode count : chart.get(field)) {
            sum += count.asLong();
        }
        return sum;
    }

    @Test
    void bringsItsNumbersUpToDateByParts() {
        Page part = viewer.open("/services/orders/traffic/numbers?rule=exports");

        ConsoleSecurityTest.requireHarmless(part);
        assertThat(part.html())
                .doesNotContain("<html")
                .contains("<div id=\"rollout\" hx-swap-oob=\"innerHTML\">", "<div id=\"refused\" hx-swap-oob")
                .contains("<ul id=\"rules-to-choose\" hx-swap-oob", "<li>everyone</li>", "<li>exports</li>")
                .contains("user=dave");
    }

    @Test
    void hasThePartThatOtherPagesShowOfTheRollOut() {
        Page part = viewer.open("/services/orders/rollout");

        ConsoleSecurityTest.requireHarmless(part);
        assertThat(part.html())
                .doesNotContain("<html", "<table")
                .contains("1 of 2 hosts has version 1; 1 has another.");
    }

    @Test
    void escapesTheRuleThatIsAskedFor() {
        Page page = viewer.open("/services/orders/traffic?rule=%22%3E%3Cimg%20src=x%3E%26a");

        ConsoleSecurityTest.requireHarmless(page);
        assertThat(page.html()).doesNotContain("<img").contains("rule=%22%3E%3Cimg+src%3Dx%3E%26a\"");
    }

    @Test
    void saysSoWhereNoHostIsThere() {
        publish("lonely");
        Visitor admin = Visitor.signedIn(service, service.admin());

        assertThat(admin.open("/services/lonely/traffic").text())
                .contains("No host has asked for these rules", "a token of the role host", "Nobody was refused");
    }

    @Test
    void showsFiveHundredHostsWithinASecond() {
        publish("large");
        String tag = tag("large");
        for (int i = 0; i < 520; i++) {
            service.send(service.request("/v1/services/large/rules", host)
                    .header("RateLimit-Host", "app-" + i + "/aaaaaaaa")
                    .header("RateLimit-In-Force", i == 333 ? "\"0-00000000\"" : tag)
                    .GET());
        }
        Visitor admin = Visitor.signedIn(service, service.admin());

        Page page = Quickly.answered(() -> admin.open("/services/large/traffic"));

        assertThat(page.text())
                .containsSubsequence(
                        "519 of 520 hosts have version 1; 1 has another.",
                        "app-333/aaaaaaaa",
                        "20 further hosts not shown");
    }

    @Test
    void answersWithinASecondForTenThousandRules() {
        publish("many");
        ReportedTraffic report = new ReportedTraffic("app-1/aaaaaaaa").tag(tag("many"));
        for (int i = 0; i < 10_000; i++) {
            report.counts("rule-" + i, 100 + i, 1, 0);
        }
        report.send(service, "many", host);
        Visitor admin = Visitor.signedIn(service, service.admin());

        Page page = Quickly.answered(() -> admin.open("/services/many/traffic"));

        assertThat(page.text()).containsSubsequence("last 15 minutes", "10,000");
    }

    @Test
    void isForThoseWhoMaySeeTheService() {
        Visitor stranger = Visitor.signedIn(service, service.token("sam", "editor", "billing"));

        for (String path : new String[] {"traffic", "traffic/numbers", "traffic.json", "rollout"}) {
            assertThat(stranger.open("/services/orders/" + path).status())
                    .as(path)
                    .isEqualTo(403);
            assertThat(viewer.open("/services/orders/" + path).status())
                    .as(path)
                    .isEqualTo(200);
            assertThat(Visitor.signedIn(service, service.admin())
                            .open("/services/nothing/" + path)
                            .status())
                    .as(path)
                    .isEqualTo(404);
        }
    }
}
