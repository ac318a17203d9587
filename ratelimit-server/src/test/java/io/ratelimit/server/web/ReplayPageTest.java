package io.ratelimit.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.web.Visitor.Page;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ReplayPageTest {

    private static final String RULES = """
            service: %s
            clients: [user]
            rules:
              - { name: everyone, limits: 100/h }
              - { name: searches, match: { path: /search }, limits: %s }
              - { name: idle, match: { path: /nowhere }, limits: 1/h }
            """;

    private static RunningService service;

    @BeforeAll
    static void start() {
        service = RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:replay-page", null, null));
        service.publish("orders", rules("orders", "50/h"));
        report(
                "orders",
                new ReportedTraffic("app-1/aaaaaaaa")
                        .requests(40, "/search", "<i>alice</i>")
                        .requests(10, "/list", "bob"));
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static String rules(String name, String limit) {
        return RULES.formatted(name, limit);
    }

    private static void report(String name, ReportedTraffic report) {
        report.send(service, name, service.token("hosts of " + name, "host", name));
    }

    private static Visitor as(String role) {
        return Visitor.signedIn(service, service.token("a " + role, role, "orders"));
    }

    @Test
    void tellsInOneSentenceWhatADraftWouldHaveDone() {
        Page page = as("editor").submit("/services/orders/replay", Map.of("text", rules("orders", "30/h")));

        ConsoleSecurityTest.requireHarmless(page);
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.text())
                .containsPattern("Of 50 requests of the last 1 seconds?, this draft would refuse 10 \\(20 %\\):"
                        + " 10 more than the rules in force\\.")
                .contains("The hosts really refused 0");
    }

    @Test
    void comparesRuleByRuleAndNamesTheClientsForWhomItChanges() {
        Page page = as("editor").submit("/services/orders/replay", Map.of("text", """
                service: orders
                clients: [user]
                rules:
                  - { name: everyone, limits: 100/h }
                  - { name: lists, match: { path: /list }, limits: 4/h }
                """));

        ConsoleSecurityTest.requireHarmless(page);
        assertThat(page.text())
                .containsSubsequence(
                        "everyone",
                        "50",
                        "0",
                        "0",
                        "0",
                        "lists",
                        "new in the draft",
                        "10",
                        "–",
                        "6",
                        "+6",
                        "searches",
                        "not in the draft",
                        "40",
                        "0",
                        "–",
                        "0",
                        "1 rule had none of these requests",
                        "Newly refused",
                        "user=bob",
                        "6",
                        "Newly let through",
                        "The draft lets nobody through who is refused now",
                        "The replay begins with full buckets");
    }

    @Test
    void saysWhichRequestsHostsDecidedUnderOlderRules() {
        service.publish("renewed", rules("renewed", "50/h"));
        report("renewed", new ReportedTraffic("app-1/aaaaaaaa").requests(5, "/search", "alice"));
        Visitor admin = Visitor.signedIn(service, service.admin());
        assertThat(admin.open("/services/renewed/replay").text())
                .contains("were decided before version 1 was published. So the two cannot be compared yet.")
                .doesNotContain("can be trusted");
    }

    @Test
    void replaysTheRulesInForceWithoutADraft() {
        Page page = as("viewer").open("/services/orders/replay");

        ConsoleSecurityTest.requireHarmless(page);
        assertThat(page.text())
                .contains("the rules in force refuse 0 (0 %).", "edit the rules")
                .doesNotContain("Newly refused", "Back to the review");
    }

    @Test
    void leadsThoseWhoMayPublishBackToTheReviewWithTheirDraft() {
        Map<String, String> draft = Map.of(
                "text", rules("orders", "30/h") + "# <b>mine</b>\n", "tag", "1-\"tag", "comment", "since <i>x</i>");

        Page page = as("editor").submit("/services/orders/replay", draft);

        ConsoleSecurityTest.requireHarmless(page);
        assertThat(page.html())
                .contains("action=\"/services/orders/review\"", "# &lt;b>mine&lt;/b>", "since &lt;i>x&lt;/i>")
                .contains("value=\"1-&#34;tag\"");
        assertThat(as("viewer").submit("/services/orders/replay", draft).html())
                .doesNotContain("/services/orders/review");
    }

    @Test
    void isReachedFromTheReviewAndLeadsBackToItWithAllThatWasTyped() {
        String draft = rules("orders", "30/h");

        Page review = as("editor")
                .open("/services/orders/edit")
                .form("/services/orders/review")
                .with("text", draft)
                .send();
        Page replay = review.form("/services/orders/publish")
                .with("comment", "too many searches")
                .sendTo("/services/orders/replay");
        Page back = replay.form("/services/orders/review").send();

        assertThat(replay.text()).contains("this draft would refuse 10");
        assertThat(back.form("/services/orders/publish").fields())
                .containsEntry("text", draft)
                .containsEntry("comment", "too many searches")
                .containsEntry("tag", review.value("tag"));
    }

    @Test
    void saysWhatIsWrongWithADraft() {
        Page page = as("editor").submit("/services/orders/replay", Map.of("text", rules("orders", "<u>")));

        ConsoleSecurityTest.requireHarmless(page);
        assertThat(page.status()).isEqualTo(422);
        assertThat(page.text()).contains("The draft is not valid", "Line 5", "searches");
        assertThat(page.html()).doesNotContain("<u>").contains("Back to the review");
    }

    @Test
    void saysWhatToDoWhereNothingIsRecordedYet() {
        service.publish("quiet", rules("quiet", "1/h"));
        Visitor admin = Visitor.signedIn(service, service.admin());

        assertThat(admin.open("/services/quiet/replay").text())
                .contains("No requests are recorded yet", "a token of the role host for quiet");
        assertThat(admin.submit("/services/quiet/replay", Map.of("text", rules("quiet", "2/h")))
                        .text())
                .contains("No requests are recorded yet", "Back to the review");
    }

    @Test
    void tellsHowFarOffFiguresOfAShareOfTheClientsAre() {
        service.publish("sampled", rules("sampled", "50/h"));
        ReportedTraffic report = new ReportedTraffic("app-1/aaaaaaaa").share(0.5);
        for (int i = 0; i < 20; i++) {
            report.requests(4, "/search", "user " + i);
        }
        report("sampled", report);

        Page page = Visitor.signedIn(service, service.admin())
                .submit("/services/sampled/replay", Map.of("text", rules("sampled", "3/h")));

        assertThat(page.text())
                .contains("Of about 160 requests", "would refuse 40 (25 %)", "40 ± ", "in 19 of 20 cases")
                .contains("The requests of 50.0 % of the clients were recorded");
    }

    @Test
    void escapesNamesOfClients() {
        Page page = as("viewer").submit("/services/orders/replay", Map.of("text", rules("orders", "30/h")));

        assertThat(page.html()).contains("user=&lt;i&gt;alice&lt;/i&gt;").doesNotContain("<i>");
    }

    @Test
    void isForThoseWhoMaySeeTheService() {
        Visitor stranger = Visitor.signedIn(service, service.token("sam", "editor", "billing"));
        Map<String, String> draft = Map.of("text", rules("orders", "30/h"));

        assertThat(stranger.open("/services/orders/replay").status()).isEqualTo(403);
        assertThat(stranger.submit("/services/orders/replay", draft).status()).isEqualTo(403);
        assertThat(as("viewer").post("/services/orders/replay", draft).status())
                .as("without a CSRF token")
                .isEqualTo(403);
    }

    @Test
    void answersWithinASecondForTenThousandRules() {
        String rules = "service: large\nclients: [user]\nrules:\n"
                + IntStream.range(0, 10_000)
                        .mapToObj(i -> "  - { name: r" + i + ", match: { path: /api/" + i + " }, limits: 10/s }\n")
                        .collect(Collectors.joining());
        service.publish("large", rules);
        ReportedTraffic report = new ReportedTraffic("app-1/aaaaaaaa");
        for (int i = 0; i < 1_000; i++) {
            report.requests(1, "/api/" + i, "alice");
        }
        report("large", report);
        Visitor admin = Visitor.signedIn(service, service.admin());
        Map<String, String> draft = Map.of("text", rules.replace("10/s", "9/s"));

        Page page = Quickly.answered(() -> admin.submit("/services/large/replay", draft));

        assertThat(page.text()).contains("800 further rules with requests not shown");
    }
}
