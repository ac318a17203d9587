package io.ratelimit.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.web.Visitor.Page;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The console as owners of services use it, without scripts. */
class ConsolePagesTest {

    private static final String RULES = """
            service: %s
            clients: [user, ip]
            exempt:
              - { path: /health }
            rules:
              - name: everyone
                match: { path: /api/** }
                limits: [20/s burst 40, 500/h]   # both hold
                overrides:
                  - { when: { user: ops }, unlimited: true }
              - name: login
                match: { path: /login, methods: [POST] }
                key: ip
                limits: 5 per 15m
                onExceeded: shadow
            """;

    private static final AtomicInteger COUNTER = new AtomicInteger();

    private static RunningService service;
    private static Visitor admin;

    /** A service of each test's own, with two rules. */
    private String name;

    private String path;

    @BeforeAll
    static void start() {
        service = RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:console-pages", null, null));
        admin = Visitor.signedIn(service, service.admin());
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @BeforeEach
    void publish() {
        name = "orders-" + COUNTER.incrementAndGet();
        path = "/services/" + name;
        service.publish(name, RULES.formatted(name));
    }

    private String inForce() {
        return service.get("/v1/services/" + name + "/rules", service.admin()).body();
    }

    private Visitor visitor(String role, String services) {
        return Visitor.signedIn(service, service.token(role + COUNTER.incrementAndGet(), role, services));
    }

    @Test
    void rulesAreReadInWords() {
        Page page = admin.open(path);

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.document().select("tbody tr").eachText())
                .containsExactly(
                        "everyone all requests to /api/** each client 20 per second, 40 at once 500 per hour"
                                + " refused with status 429 all requests by the user ops: no limit",
                        "login POST requests to /login each IP address 5 per 15 minutes only counted, nobody is refused"
                                + " none");
        assertThat(page.text())
                .contains("Version 1, published")
                .contains("by bootstrap")
                .contains("each user, or else each IP address")
                .contains("all requests to /health");
        assertThat(page.document().select("time").attr("datetime"))
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
        assertThat(page.document().select("time").text()).matches("\\d{1,2} [A-Z][a-z]{2} \\d{4}, \\d\\d:\\d\\d UTC");
    }

    @ParameterizedTest
    @CsvSource({"login, 1", "LOGIN, 1", "/api/, 1", "IP address, 1", "nothing of that, 0", "'', 2"})
    void rulesAreFilteredByWhatTheyMention(String filter, int rows) {
        Page page = admin.open(path + "?filter=" + filter.replace(" ", "%20"));

        assertThat(page.document().select("tbody tr")).hasSize(rows);
        assertThat(page.value("filter")).isEqualTo(filter);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-5", "999999", "0"})
    void anyBeginningOfTheListIsAPage(String from) {
        assertThat(admin.open(path + "?from=" + from).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/edit",
                "/new-rule",
                "/rules/login",
                "/history",
                "/versions/1",
                "/explain",
                "/replay",
                "/traffic",
                "/versions/99"
            })
    void eachPageOfAServiceNamesIt(String page) {
        Page shown = admin.open(path + page);

        assertThat(shown.document().title()).endsWith(name + " · ratelimit");
        assertThat(shown.document().select("nav .place").text()).isEqualTo(name);
    }

    @Test
    void aReviewStandsUnderTheTabOfWhatItChanges() {
        service.publish(name, RULES.formatted(name) + "  - { name: third, limits: 1/s }\n");

        assertThat(tab(admin.open(path + "/new-rule")
                        .form(path + "/new-rule")
                        .with("name", "fourth")
                        .send()))
                .isEqualTo("Rules");
        assertThat(tab(admin.open(path + "/versions/1")
                        .form(path + "/versions/1/restore")
                        .send()))
                .isEqualTo("History");
    }

    private static String tab(Page page) {
        return page.document().select("nav.tabs [aria-current]").text();
    }

    @Test
    void aChangeIsEditedReviewedPublishedAndSeen() {
        Page editor = admin.open(path + "/edit");
        assertThat(editor.value("text")).isEqualTo(RULES.formatted(name));

        Page review = editor.form(path + "/review")
                .with("text", editor.value("text").replace("5 per 15m", "3 per 15m"))
                .send();
        assertThat(review.status()).as(review.toString()).isEqualTo(200);
        assertThat(review.text()).contains("Changed login", "Limits: 3 per 15 minutes (before: 5 per 15 minutes)");
        assertThat(review.document().select(".diff del").eachText()).containsExactly("limits: 5 per 15m");
        assertThat(review.document().select(".diff ins").eachText()).containsExactly("limits: 3 per 15m");
        assertThat(inForce()).contains("5 per 15m");

        Page published = review.form(path + "/publish")
                .with("comment", "Too many guesses")
                .send();
        assertThat(published.address()).isEqualTo(path + "?published=2");
        assertThat(published.text()).contains("Version 2 is published", "Too many guesses", "3 per 15 minutes");
        assertThat(inForce()).isEqualTo(RULES.formatted(name).replace("5 per 15m", "3 per 15m"));
    }

    @Test
    void linesEndAsTheyDidBefore() {
        service.publish(name, RULES.formatted(name).replace("\n", "\r\n"));
        Page editor = admin.open(path + "/edit");
        editor.form(path + "/review")
                .with("text", editor.value("text").replace("5 per 15m", "3 per 15m"))
                .send()
                .form(path + "/publish")
                .send();

        assertThat(inForce())
                .isEqualTo(
                        RULES.formatted(name).replace("5 per 15m", "3 per 15m").replace("\n", "\r\n"));
    }

    @Test
    void aTextThatSaysTheSameHasNothingToPublish() {
        Page review = admin.open(path + "/edit").form(path + "/review").send();

        assertThat(review.text()).contains("Nothing differs from version 1");
        assertThat(review.hasForm(path + "/publish")).isFalse();
    }

    @Test
    void mistakesAreNamedByLineWhileSomebodyTypes() {
        Page part = admin.post(
                path + "/check",
                Map.of(
                        "csrf", admin.open(path).csrf(),
                        "text", RULES.formatted(name).replace("limits: 5", "limitz: 5")));

        assertThat(part.status()).isEqualTo(200);
        assertThat(part.html()).doesNotContain("<html");
        assertThat(part.document().select("a[data-line=14]").text()).startsWith("Line 14");
        assertThat(part.text()).contains("Mistakes", "login", "unknown field 'limitz'");
    }

    @Test
    void likelyMistakesAreNoErrors() {
        Page part = admin.post(
                path + "/check",
                Map.of(
                        "csrf", admin.open(path).csrf(),
                        "text", RULES.formatted(name).replace("key: ip", "key: \"header:X-Api-Key\"")));

        assertThat(part.text())
                .contains("can be published", "Worth a second look")
                .doesNotContain("Mistakes");
    }

    @Test
    void rulesThatAreNotValidComeBackToTheEditorWithTheText() {
        String broken = RULES.formatted(name).replace("5 per 15m", "five");

        Page editor = admin.open(path + "/edit")
                .form(path + "/review")
                .with("text", broken)
                .send();

        assertThat(editor.status()).isEqualTo(422);
        assertThat(editor.value("text")).isEqualTo(broken);
        assertThat(editor.text()).contains("Mistakes");
        Page again = admin.post(
                path + "/publish",
                Map.of("csrf", editor.csrf(), "text", broken, "tag", editor.value("tag"), "comment", ""));
        assertThat(again.status()).isEqualTo(422);
        assertThat(again.value("text")).isEqualTo(broken);
    }

    @Test
    void whoIsLateSeesWhatOthersHaveDoneAndKeepsTheDraft() {
        Page review = admin.open(path + "/edit")
                .form(path + "/review")
                .with("text", RULES.formatted(name).replace("5 per 15m", "3 per 15m"))
                .send();
        service.publish(name, RULES.formatted(name).replace("500/h", "400/h"));

        Page late = review.form(path + "/publish").send();

        assertThat(late.status()).isEqualTo(412);
        assertThat(late.text()).contains("Version 2, published", "not published, and not lost");
        assertThat(late.document().select(".diff ins").text()).contains("400/h");
        assertThat(late.value("text")).contains("3 per 15m", "500/h");
        assertThat(inForce()).contains("400/h");

        Page editor = late.form(path + "/edit").send();
        assertThat(editor.value("text")).contains("3 per 15m", "400/h");
        assertThat(editor.text()).contains("Both changes are in this text", "On top of version 2");

        editor.form(path + "/review").send().form(path + "/publish").send();
        assertThat(inForce()).contains("3 per 15m", "400/h");
    }

    @Test
    void whereBothChangeTheSameLinesTheTextIsLeftAsItWasTyped() {
        Page editor = admin.open(path + "/edit");
        service.publish(name, RULES.formatted(name).replace("500/h", "400/h"));

        Page again = editor.form(path + "/review")
                .with("text", RULES.formatted(name).replace("500/h", "300/h"))
                .send()
                .form(path + "/edit")
                .send();

        assertThat(again.value("text")).contains("300/h").doesNotContain("400/h");
        assertThat(again.text()).contains("Not in your text yet", "On top of version 2");
    }

    @Test
    void aRuleThatIsRenamedIsReviewedAsThat() {
        Page review = admin.open(path + "/rules/everyone")
                .form(path + "/rules/everyone")
                .with("name", "all")
                .send();

        assertThat(review.text())
                .contains("Renamed everyone to all", "All its counts start anew.")
                .doesNotContain("Removed", "Added");
    }

    @Test
    void whoIsLateIsToldBeforeTheReview() {
        Page editor = admin.open(path + "/edit");
        service.publish(name, RULES.formatted(name).replace("500/h", "400/h"));

        Page late = editor.form(path + "/review")
                .with("text", RULES.formatted(name).replace("5 per 15m", "3 per 15m"))
                .send();

        assertThat(late.status()).isEqualTo(412);
        assertThat(late.value("text")).contains("3 per 15m");
    }

    @Test
    void aCommentThatIsTooLongIsKeptToBeShortened() {
        Page review = admin.open(path + "/edit")
                .form(path + "/review")
                .with("text", RULES.formatted(name) + "# more\n")
                .send();

        Page again = review.form(path + "/publish")
                .with("comment", "x".repeat(1_001))
                .send();

        assertThat(again.status()).isEqualTo(422);
        assertThat(again.text()).contains("1001 characters");
        assertThat(again.value("comment")).hasSize(1_001);
        assertThat(again.value("text")).endsWith("# more\n");
    }

    @Test
    void whatWasReviewedCanBeEditedOn() {
        Page review = admin.open(path + "/edit")
                .form(path + "/review")
                .with("text", RULES.formatted(name) + "# more\n")
                .send();

        Page editor =
                review.form(path + "/publish").with("comment", "Because.\nYes.").sendTo(path + "/edit");

        assertThat(editor.value("text")).endsWith("# more\n");
        assertThat(editor.text()).doesNotContain("Not in your text yet");
        assertThat(editor.form(path + "/review").send().value("comment")).isEqualTo("Because.\nYes.");
    }

    @Test
    void aDraftIsTriedWithARequestAndEditedOn() {
        Page explained = admin.open(path + "/edit")
                .form(path + "/review")
                .with("text", RULES.formatted(name).replace("5 per 15m", "3 per 15m"))
                .sendTo(path + "/explain")
                .form(path + "/explain")
                .with("path", "/login")
                .with("method", "POST")
                .with("ip", "192.0.2.7")
                .with("times", "4")
                .send();
        assertThat(explained.text()).containsSubsequence("under the draft", "login", "3 per 15 minutes", "too little");

        Page editor = explained.form(path + "/explain").sendTo(path + "/edit");

        assertThat(editor.value("text")).contains("3 per 15m");
        assertThat(editor.text()).contains("On top of version 1").doesNotContain("Not in your text yet");
        assertThat(editor.form(path + "/review").send().text()).contains("Publish version 2");
    }

    @Test
    void theNumbersOfVersionsGoOnAfterTheRulesWereTakenOut() {
        service.send(service.request("/v1/services/" + name + "/rules", service.admin())
                .header("If-Match", "*")
                .DELETE());

        Page review = admin.open(path + "/edit").form(path + "/review").send();

        assertThat(review.text()).contains("Publish version 2");
    }

    @Test
    void aRuleIsChangedInAFormAndAllElseStays() {
        Page form = admin.open(path + "/rules/everyone");
        assertThat(form.value("limits")).isEqualTo("20/s burst 40\n500/h");
        assertThat(form.text()).contains("overrides:");

        Page review = form.form(path + "/rules/everyone")
                .with("limits", "10/s\n500/h")
                .with("methods", "GET, POST")
                .send();

        assertThat(review.status()).as(review.toString()).isEqualTo(200);
        review.form(path + "/publish").send();
        assertThat(inForce())
                .contains("match: { path: /api/**, methods: [GET, POST] }")
                .contains("limits: [10/s, 500/h]")
                .contains("{ when: { user: ops }, unlimited: true }")
                .contains("onExceeded: shadow");
    }

    @Test
    void whatIsWrongInAFormStandsBesideItsField() {
        Page form = admin.open(path + "/rules/everyone");

        Page again = form.form(path + "/rules/everyone")
                .with("name", "login")
                .with("limits", "10/s")
                .send();
        assertThat(again.status()).isEqualTo(422);
        assertThat(again.document().select("#name-error").text()).contains("another rule 'login'");

        Page wrong = form.form(path + "/rules/everyone")
                .with("name", "everyone")
                .with("path", "api")
                .with("limits", "10/s\nmany")
                .with("exceeded", "queue")
                .with("places", "0")
                .send();
        assertThat(wrong.document().select("#path-error").text()).contains("starts with '/'");
        assertThat(wrong.document().select("#limits-error").text()).contains("many");
        assertThat(wrong.document().select("#places-error").text()).contains("between 1 and");
        assertThat(wrong.document().select("#maxWait-error").text()).contains("Say how long");
        assertThat(wrong.value("limits")).isEqualTo("10/s\nmany");
        assertThat(wrong.document().select("#limits").attr("aria-invalid")).isEqualTo("true");
    }

    @Test
    void whatIsLeftEmptyInAFormIsAskedForAtItsFieldInPlainWords() {
        Page blank = admin.open(path + "/new-rule")
                .form(path + "/new-rule")
                .with("name", "exports")
                .with("key", "header")
                .with("exceeded", "queue")
                .send();

        assertThat(blank.status()).isEqualTo(422);
        assertThat(blank.document().select("#header-error").text())
                .isEqualTo("Give the name of one header, such as X-Api-Key.");
        assertThat(blank.document().select("#places-error").text()).contains("how many requests may wait");
        assertThat(blank.document().select("#maxWait-error").text()).contains("how long a request may wait");
        assertThat(blank.document().select("#key-error, #status-error, #exceeded-error"))
                .isEmpty();
    }

    @Test
    void aRuleIsAddedInAForm() {
        Page review = admin.open(path + "/new-rule")
                .form(path + "/new-rule")
                .with("name", "exports")
                .with("path", "/exports/*\n/reports/**")
                .with("key", "header")
                .with("header", "X-Api-Key")
                .with("limits", "{ tokens: 2, per: 1m, algorithm: leaky-bucket }")
                .with("exceeded", "queue")
                .with("places", "10")
                .with("maxWait", "5s")
                .send();

        assertThat(review.status()).as(review.toString()).isEqualTo(200);
        review.form(path + "/publish").send();
        assertThat(admin.open(path).document().select("tbody tr").last().text())
                .isEqualTo("exports all requests to /exports/* or /reports/** each value of the header X-Api-Key"
                        + " 2 per minute, by leaky-bucket waits in line, 10 places and at most 5 seconds; then refused"
                        + " with status 429 none");
    }

    @Test
    void aRuleIsRemoved() {
        Page review = admin.open(path + "/rules/login")
                .form(path + "/rules/login/remove")
                .send();

        assertThat(review.text()).contains("Removed login");
        review.form(path + "/publish").send();
        assertThat(inForce()).contains("everyone").doesNotContain("login");
    }

    @Test
    void aFormOutlivesAChangeOfAnotherRule() {
        Page form = admin.open(path + "/rules/everyone");
        service.publish(name, RULES.formatted(name).replace("5 per 15m", "4 per 15m"));

        form.form(path + "/rules/everyone")
                .with("limits", "10/s")
                .send()
                .form(path + "/publish")
                .send();

        assertThat(inForce()).contains("4 per 15m", "limits: 10/s");
    }

    @Test
    void aFormTellsOfAChangeOfItsOwnRule() {
        Page form = admin.open(path + "/rules/everyone");
        service.publish(name, RULES.formatted(name).replace("500/h", "400/h"));

        Page late = form.form(path + "/rules/everyone").with("limits", "10/s").send();

        assertThat(late.status()).isEqualTo(412);
        assertThat(late.document().select(".diff ins").text()).contains("400/h");
    }

    @Test
    void versionsTellWhatTheyChanged() {
        service.publish(name, RULES.formatted(name).replace("5 per 15m", "4 per 15m"));
        service.publish(name, RULES.formatted(name).replace("5 per 15m", "4 per 15m") + "# a note\n");

        Page history = admin.open(path + "/history");

        assertThat(history.document().select("td[data-label=What changed]").eachText())
                .containsExactly("The same rules, written another way.", "Changed: login.", "The first rules.");
        Page version = admin.open(path + "/versions/2");
        assertThat(version.document().select(".diff ins").eachText()).containsExactly("# a note", "limits: 4 per 15m");
        assertThat(version.document().select("pre").text()).contains("4 per 15m");
    }

    @Test
    void olderVersionsAreOnAPageOfTheirOwn() {
        for (int i = 2; i <= 23; i++) {
            service.publish(name, RULES.formatted(name) + "# " + i + "\n");
        }

        Page newest = admin.open(path + "/history");
        assertThat(newest.document().select("tbody tr")).hasSize(20);
        Page older = admin.open(newest.document().select("a[rel=next]").attr("href"));

        assertThat(older.document().select("tbody th").eachText())
                .containsExactly("Version 3", "Version 2", "Version 1");
        assertThat(older.document().select("a[rel=next]")).isEmpty();
    }

    @Test
    void anEarlierVersionIsRestored() {
        service.publish(name, RULES.formatted(name).replace("5 per 15m", "4 per 15m"));

        Page review = admin.open(path + "/versions/1")
                .form(path + "/versions/1/restore")
                .send();
        assertThat(review.text()).contains("brings version 1 back");
        Page published = review.form(path + "/publish").send();

        assertThat(published.text()).contains("Version 3 is published", "restored from version 1");
        assertThat(inForce()).isEqualTo(RULES.formatted(name));
    }

    @Test
    void aRestorationIsNoLostUpdate() {
        service.publish(name, RULES.formatted(name).replace("5 per 15m", "4 per 15m"));
        Page review = admin.open(path + "/versions/1")
                .form(path + "/versions/1/restore")
                .send();
        service.publish(name, RULES.formatted(name).replace("5 per 15m", "3 per 15m"));

        assertThat(review.form(path + "/publish").send().status()).isEqualTo(412);
        assertThat(inForce()).contains("3 per 15m");
    }

    @Test
    void aNewServiceBeginsWithRulesThatLimitNobody() {
        String fresh = "fresh-" + COUNTER.incrementAndGet();

        Page editor = admin.open("/new-service")
                .form("/new-service")
                .with("name", fresh)
                .send();
        assertThat(editor.address()).isEqualTo("/services/" + fresh + "/edit");
        assertThat(editor.text()).contains("No mistakes found");
        Page published = editor.form("/services/" + fresh + "/review")
                .send()
                .form("/services/" + fresh + "/publish")
                .send();

        assertThat(published.text()).contains("Version 1 is published", "only counted, nobody is refused");
        assertThat(admin.open("/").links("/services/" + fresh)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "..", "ü", "<b>"})
    void aNameThatIsNoneIsNotTaken(String bad) {
        Page again = admin.open("/new-service")
                .form("/new-service")
                .with("name", bad)
                .send();

        assertThat(again.status()).isEqualTo(422);
        assertThat(again.value("name")).isEqualTo(bad);
        assertThat(again.document().select("#name-error").text()).contains("cannot be used");
    }

    @Test
    void aServiceThatHasRulesIsNotBegunAgain() {
        Page again = admin.open("/new-service")
                .form("/new-service")
                .with("name", name)
                .send();

        assertThat(again.status()).isEqualTo(422);
        assertThat(again.text()).contains("There are rules for " + name + " already");
    }

    @Test
    void anEditorBeginsOnlyTheServicesOfTheGrant() {
        String own = "own-" + COUNTER.incrementAndGet();
        Visitor editor = visitor("editor", own);

        Page page = editor.open("/");
        assertThat(page.text()).contains("There are no rules yet");
        Page form = editor.open(page.document().select("a.button").attr("href"));
        assertThat(form.document().select("option").eachText()).containsExactly(own);

        Page foreign = editor.post("/new-service", Map.of("csrf", form.csrf(), "name", "somebody-elses"));
        assertThat(foreign.status()).isEqualTo(403);
    }

    @Test
    void whoMayBeginNothingIsNotAskedTo() {
        Visitor editor = visitor("editor", name);

        assertThat(editor.open("/").links("/new-service")).isFalse();
        assertThat(editor.open("/new-service").status()).isEqualTo(403);
    }

    @Test
    void viewersSeeAllAndChangeNothing() {
        Visitor viewer = visitor("viewer", name);
        Page rules = viewer.open(path);

        assertThat(rules.status()).isEqualTo(200);
        assertThat(rules.links(path + "/edit")).isFalse();
        assertThat(rules.links(path + "/new-rule")).isFalse();
        assertThat(rules.links(path + "/rules/login")).isFalse();
        assertThat(viewer.open(path + "/history").status()).isEqualTo(200);
        Page version = viewer.open(path + "/versions/1");
        assertThat(version.status()).isEqualTo(200);
        assertThat(version.hasForm(path + "/versions/1/restore")).isFalse();
        for (String page : List.of("/edit", "/new-rule", "/rules/login")) {
            assertThat(viewer.open(path + page).status()).as(page).isEqualTo(403);
        }
        Map<String, String> fields = Map.of(
                "csrf",
                rules.csrf(),
                "text",
                "service: " + name + "\nrules: []\n",
                "tag",
                admin.open(path + "/edit").value("tag"));
        for (String action : List.of(
                "/edit",
                "/check",
                "/review",
                "/publish",
                "/new-rule",
                "/rules/login",
                "/rules/login/remove",
                "/versions/1/restore")) {
            Page denied = viewer.post(path + action, fields);
            assertThat(denied.status()).as(action).isEqualTo(403);
            assertThat(denied.text()).contains("You may not do this", "viewer");
        }
        assertThat(inForce()).isEqualTo(RULES.formatted(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/edit", "/history", "/versions/1", "/rules/login", "/new-rule"})
    void strangersSeeNothing(String page) {
        Page denied = visitor("editor", "another").open(path + page);

        assertThat(denied.status()).isEqualTo(403);
        assertThat(denied.text())
                .containsPattern("The token '[^']*' is an editor's")
                .doesNotContain("everyone");
    }

    @ParameterizedTest
    @CsvSource({
        "/nowhere, 404",
        "/services/orders-1/nowhere, 404",
        "/services/orders-1/versions/99, 404",
        "/services/orders-1/versions/x, 404",
        "/services/orders-1/rules/none, 404",
        "/services/never-heard-of, 404",
        "/services/never-heard-of/history, 404",
        "/services/never-heard-of/new-rule, 404",
        "/services/orders-1/publish, 405"
    })
    void whatIsNotThereIsToldOnAPage(String missing, int status) {
        service.publish("orders-1", RULES.formatted("orders-1"));

        Page page = admin.open(missing);

        assertThat(page.status()).isEqualTo(status);
        assertThat(page.header("Content-Type")).startsWith("text/html");
        assertThat(page.document().select("h1")).hasSize(1);
        assertThat(page.document().select("main a")).isNotEmpty();
        assertThat(page.links("/audit")).as("the menu of who is signed in").isTrue();
    }

    @Test
    void programsAreAnsweredWithProblems() {
        assertThat(service.get("/v1/nowhere", service.admin()).header("Content-Type"))
                .isEqualTo("application/problem+json");
        assertThat(admin.ask(admin.request("/v1/nowhere")
                                .header("Authorization", "Bearer " + service.admin())
                                .GET())
                        .header("Content-Type"))
                .isEqualTo("application/problem+json");
    }

    @Test
    void aServiceThatWasTakenOutHasAHistory() {
        service.send(service.request("/v1/services/" + name + "/rules", service.admin())
                .header("If-Match", "*")
                .DELETE());

        Page gone = admin.open(path);
        assertThat(gone.status()).isEqualTo(404);
        assertThat(gone.text()).contains("were taken out");
        Page restored = admin.open(path + "/versions/1")
                .form(path + "/versions/1/restore")
                .send()
                .form(path + "/publish")
                .send();
        assertThat(restored.status()).as(restored.toString()).isEqualTo(200);
        assertThat(inForce()).isEqualTo(RULES.formatted(name));
    }
}
