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

class ExplainPageTest {

    private static final String RULES = """
            service: orders
            clients: [user, "header:X-Api-Key", ip]
            exempt:
              - { path: /health }
            costs:
              - { path: /api/reports/**, cost: 10 }
            rules:
              - name: everyone
                match: { path: /api/** }
                limits: [20/s burst 40, 500/h]
                overrides:
                  - { when: { attributes: { tier: gold } }, limits: 100/s }
                  - { when: { user: ops }, unlimited: true }
              - name: exports
                match: { operation: export }
                limits: 2/m
              - name: logins
                match: { path: /login }
                key: ip
                limits: 3/h
                charge: { when: response, status: [401] }
            """;

    private static RunningService service;
    private static Visitor viewer;

    @BeforeAll
    static void start() {
        service = RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:explain-page", null, null));
        service.publish("orders", RULES);
        viewer = Visitor.signedIn(service, service.token("vera", "viewer", "orders"));
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void asksForARequestFirst() {
        Page page = viewer.open("/services/orders/explain");

        ConsoleSecurityTest.requireHarmless(page);
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.text()).contains("leave passwords, keys and tokens out").doesNotContain("It passes");
    }

    @Test
    void tellsTheOutcomeThenWhatEachRuleMakesOfIt() {
        Page page = viewer.open("/services/orders/explain?method=GET&path=/api/x&user=alice&operation=export&times=3");

        ConsoleSecurityTest.requireHarmless(page);
        assertThat(page.text())
                .containsSubsequence(
                        "It does not pass",
                        "refused by exports, which allows 2 per minute: wait 30 seconds.",
                        "everyone",
                        "path /api/** matches /api/x",
                        "Counted for",
                        "user 'alice'",
                        "Exception 1",
                        "not chosen (attribute tier is unknown, not gold)",
                        "Exception 2",
                        "20 per second, 40 at once",
                        "38",
                        "enough",
                        "exports",
                        "2 per minute",
                        "0",
                        "too little: wait 30 seconds",
                        "Rules that do not apply (1)",
                        "logins");
    }

    @Test
    void saysWhichRulesItCannotJudgeSinceNothingTellsTheClient() {
        Page nothing = viewer.open("/services/orders/explain?path=/api/x");
        Page address = viewer.open("/services/orders/explain?path=/api/x&ip=192.0.2.7");

        assertThat(nothing.text())
                .containsSubsequence(
                        "It passes, as far as can be told",
                        "cannot be built",
                        "Some rules could not be judged",
                        "everyone",
                        "counted for each user, or else each value of the header X-Api-Key, or else each IP address",
                        "Rules that do not apply (2)")
                .doesNotContain("no limit applies");
        assertThat(nothing.html()).doesNotContain("<span class=\"good\">");
        assertThat(address.text()).contains("within all limits").doesNotContain("could not be judged");
        assertThat(address.html()).contains("<span class=\"good\">It passes");
    }

    @Test
    void numbersExceptionsAsPeopleDo() {
        Page page = viewer.open("/services/orders/explain?path=/api/x&user=ops");

        assertThat(page.text()).contains("but its exception 2 is unlimited").doesNotContain("overrides[");
    }

    @Test
    void saysInWordsWhyARequestIsExemptAndWhereItsCostStands() {
        assertThat(viewer.open("/services/orders/explain?path=/health").text())
                .contains("since the request is exempt: path /health matches /health.");
        assertThat(viewer.open("/services/orders/explain?path=/api/reports/x&user=alice")
                        .text())
                .contains("10 (by the costs, entry 1)");
    }

    @Test
    void takesTheAnswersOfThoseBeforeIntoAccount() {
        String logins = "/services/orders/explain?method=POST&path=/login&ip=192.0.2.7&times=4&status=";

        assertThat(viewer.open(logins + "200").text()).contains("It passes");
        assertThat(viewer.open(logins + "401").text()).contains("It does not pass");
    }

    @Test
    void understandsFurtherFieldsAndHidesTheirSecretsInItsAnswer() {
        Page page = viewer.open("/services/orders/explain?path=/api/x&more=header:X-Api-Key=hush-123");

        assertThat(page.text()).contains("It passes", "header:X-Api-Key");
        assertThat(page.html().split("hush-123", -1))
                .as("in the field that it was typed in")
                .hasSize(2);
    }

    @Test
    void saysWhatIsWrongBesideTheFieldAndKeepsWhatWasTyped() {
        Page page = viewer.open("/services/orders/explain?path=api&ip=here&more=tier%20gold&times=0&user=alice");

        ConsoleSecurityTest.requireHarmless(page);
        assertThat(page.status()).isEqualTo(422);
        assertThat(page.html())
                .containsPattern("id=\"path-error\">The path begins with a slash")
                .containsPattern("id=\"ip-error\">ip is 'here'")
                .containsPattern("id=\"more-error\">'tier' has no name and value")
                .containsPattern("id=\"times-error\">This must be a whole number from 1 to 10,000")
                .contains("value=\"here\"", "value=\"alice\"");
    }

    @Test
    void saysSoWhereAFieldOfItsOwnStandsAmongTheOthersAgain() {
        Page page = viewer.open("/services/orders/explain?path=/api/x&user=alice&more=user=bob");

        assertThat(page.html()).containsPattern("id=\"more-error\">'user' stands twice");
    }

    @Test
    void triesADraftThatIsSentWithoutPublishingIt() {
        Page page = viewer.submit(
                "/services/orders/explain",
                Map.of(
                        "text", "service: orders\nrules: [{ name: tight, limits: 1/h }]\n",
                        "path", "/api/x",
                        "user", "alice",
                        "times", "2"));

        ConsoleSecurityTest.requireHarmless(page);
        assertThat(page.html()).contains("<title>Explain a request: draft");
        assertThat(page.text()).contains("refused by tight", "It is tried under the draft");
        assertThat(viewer.open("/services/orders/explain?path=/api/x&user=alice&times=2")
                        .text())
                .contains("It passes");
    }

    @Test
    void showsWhatIsWrongWithADraft() {
        Page page = viewer.submit(
                "/services/orders/explain",
                Map.of("text", "service: orders\nrules: [{ name: a, limit: 1/h }]\n", "path", "/api/x"));

        assertThat(page.status()).isEqualTo(422);
        assertThat(page.text()).contains("The draft is not valid", "Line 2", "limit");
    }

    @Test
    void escapesAllThatIsTyped() {
        String hostile = "%3Cimg%20src=x%20onerror=alert(1)%3E%22%27";
        Page page = viewer.open("/services/orders/explain?method=" + hostile + "&path=/" + hostile + "&user=" + hostile
                + "&ip=" + hostile + "&operation=" + hostile + "&more=" + hostile + "&times=" + hostile);

        assertThat(page.html()).doesNotContain("<img").contains("&lt;img");
        assertThat(viewer.open("/services/orders/explain?path=/api/" + hostile).html())
                .doesNotContain("<img")
                .contains("&lt;img");
    }

    @Test
    void isForThoseWhoMaySeeTheService() {
        Visitor stranger = Visitor.signedIn(service, service.token("sam", "editor", "billing"));

        assertThat(stranger.open("/services/orders/explain").status()).isEqualTo(403);
        assertThat(stranger.submit("/services/orders/explain", Map.of("text", RULES, "path", "/x"))
                        .status())
                .isEqualTo(403);
        assertThat(viewer.post("/services/orders/explain", Map.of("text", RULES, "path", "/x"))
                        .status())
                .as("without a CSRF token")
                .isEqualTo(403);
        assertThat(Visitor.signedIn(service, service.admin())
                        .open("/services/nothing/explain")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void answersWithinASecondForTenThousandRules() {
        service.publish(
                "large",
                "service: large\nrules:\n"
                        + IntStream.range(0, 10_000)
                                .mapToObj(i ->
                                        "  - { name: r" + i + ", match: { path: /api/" + i + " }, limits: 10/s }\n")
                                .collect(Collectors.joining()));
        Visitor admin = Visitor.signedIn(service, service.admin());

        Page page = Quickly.answered(() -> admin.open("/services/large/explain?path=/api/77&user=alice&times=11"));

        assertThat(page.text()).contains("refused by r77", "Rules that do not apply (9,999)");
        assertThat(page.html().length()).isLessThan(100_000);
    }
}
