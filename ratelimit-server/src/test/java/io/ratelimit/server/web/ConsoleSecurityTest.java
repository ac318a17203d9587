package io.ratelimit.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.web.Visitor.Page;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jsoup.nodes.Attribute;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What hostile pages, authors and links try against the console. */
class ConsoleSecurityTest {

    /** Breaks out of texts, attributes and fields, if anything lets it. */
    private static final String EVIL = "\"'></textarea></pre><script>alert(1)</script><img src=x onerror=alert(2)>";

    private static final String IN_YAML = EVIL.replace("'", "''");

    private static final String RULES = """
            # %1$s
            service: orders
            clients: [user, ip]
            rules:
              - name: everyone
                match: { path: '/%1$s', user: '%1$s', operation: '%1$s', attributes: { '%1$s': '%1$s' } }
                key: 'attribute:%1$s'
                limits: 20/s
                overrides:
                  - { when: { user: '%1$s' }, unlimited: true }
            """.formatted(IN_YAML).replace(
            "path: '/" + IN_YAML, "path: '/" + IN_YAML.replace("</", "/").replace("/>", ">"));

    private static final String REVIEW = "/services/orders/review";

    private static RunningService service;
    private static Visitor admin;

    @BeforeAll
    static void start() {
        service = RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:console-security", null, null));
        String evilToken = service.post(
                        "/v1/tokens",
                        service.admin(),
                        "{\"name\":\"" + EVIL.replace("\"", "\\\"") + "\",\"role\":\"admin\",\"services\":[\"*\"]}")
                .json()
                .get("secret")
                .asText();
        admin = Visitor.signedIn(service, evilToken);
        publish(RULES, evilToken);
        publish(RULES + "# " + EVIL + "\n", evilToken);
    }

    private static void publish(String rules, String token) {
        RunningService.Answer answer = service.send(service.request(
                        "/v1/services/orders/rules?comment=" + URLEncoder.encode(EVIL, StandardCharsets.UTF_8), token)
                .header("If-Match", "*")
                .PUT(HttpRequest.BodyPublishers.ofString(rules)));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    static Stream<String> pages() {
        String evil = URLEncoder.encode(EVIL, StandardCharsets.UTF_8).replace("+", "%20");
        // The container answers an encoded slash in a path itself.
        String segment = evil.replace("%2F", "");
        return Stream.of(
                "/",
                "/sign-in",
                "/sign-in?next=" + evil,
                "/new-service",
                "/services/orders",
                "/services/orders?filter=" + evil,
                "/services/orders?published=" + evil,
                "/services/orders/edit",
                "/services/orders/new-rule",
                "/services/orders/rules/everyone",
                "/services/orders/rules/" + segment,
                "/services/orders/history",
                "/services/orders/history?before=2",
                "/services/orders/versions/1",
                "/services/orders/versions/2",
                "/services/orders/versions/" + segment,
                "/services/" + segment,
                "/services/orders/explain",
                "/services/orders/explain?path=/" + evil + "&user=" + evil + "&more=" + evil + "&times=" + evil,
                "/services/orders/explain?path=/" + evil.replace("%27", "") + "&user=" + evil + "&operation=" + evil,
                "/services/orders/replay",
                "/services/orders/traffic",
                "/services/orders/traffic?rule=" + evil,
                "/services/orders/traffic/numbers?rule=" + evil,
                "/services/orders/rollout",
                "/tokens",
                "/tokens?revoked=1",
                "/tokens/2/revoke",
                "/tokens/" + segment + "/revoke",
                "/audit",
                "/audit?service=" + evil,
                "/services/unknown/traffic",
                "/services/unknown",
                "/" + segment);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void noPageRunsWhatItWasGiven(String path) {
        requireHarmless(admin.open(path));
    }

    @Test
    void noAnswerToAFormRunsWhatItWasGiven() {
        Page editor = admin.open("/services/orders/edit");
        String csrf = editor.csrf();
        String tag = editor.value("tag");
        assertThat(editor.value("text")).isEqualTo(RULES + "# " + EVIL + "\n");
        String valid = RULES + "# " + EVIL + "\n  - { name: b, limits: 1/s }\n";

        List<Page> pages = List.of(
                post("review", Map.of("csrf", csrf, "tag", tag, "text", valid)),
                post("review", Map.of("csrf", csrf, "tag", EVIL, "text", valid)),
                post("review", Map.of("csrf", csrf, "tag", tag, "text", EVIL)),
                post("check", Map.of("csrf", csrf, "text", "service: orders\n" + EVIL + ": [1]\n")),
                post("edit", Map.of("csrf", csrf, "tag", "1-x" + EVIL, "text", EVIL)),
                post("publish", Map.of("csrf", csrf, "tag", EVIL, "text", valid, "comment", EVIL)),
                post("publish", Map.of("csrf", csrf, "tag", tag, "text", valid, "comment", EVIL.repeat(20))),
                post("publish", Map.of("csrf", csrf, "tag", tag, "text", valid, "restoredFrom", EVIL)),
                post("new-rule", Map.of("csrf", csrf, "name", EVIL, "limits", EVIL, "path", EVIL, "key", EVIL)),
                post("rules/everyone", Map.of("csrf", csrf, "tag", EVIL, "name", EVIL, "status", EVIL)),
                post("rules/" + URLEncoder.encode("a<b>", StandardCharsets.UTF_8) + "/remove", Map.of("csrf", csrf)),
                post("versions/1/restore", Map.of("csrf", csrf)),
                post("explain", Map.of("csrf", csrf, "text", valid, "path", "/" + EVIL, "user", EVIL)),
                post("explain", Map.of("csrf", csrf, "text", EVIL, "path", EVIL)),
                post("replay", Map.of("csrf", csrf, "text", valid, "tag", EVIL, "comment", EVIL)),
                post("replay", Map.of("csrf", csrf, "text", EVIL)),
                admin.post("/tokens", Map.of("csrf", csrf, "name", EVIL, "role", EVIL, "services", EVIL)),
                admin.post("/tokens", Map.of("csrf", csrf, "name", EVIL, "role", "host", "services", "orders")),
                admin.post("/new-service", Map.of("csrf", csrf, "name", EVIL)),
                admin.post("/sign-in", Map.of("token", EVIL, "next", EVIL)));

        assertThat(pages).extracting(Page::status).doesNotContain(500);
        pages.forEach(ConsoleSecurityTest::requireHarmless);
    }

    private static Page post(String action, Map<String, String> fields) {
        return admin.post("/services/orders/" + action, fields);
    }

    /** Nothing of the given text has become a part of the page, and the page asks for nothing that its policy forbids. */
    static void requireHarmless(Page page) {
        Document document = page.document();
        assertThat(page.header("Content-Type")).as(page.address()).startsWith("text/html");
        assertThat(page.header("Content-Security-Policy"))
                .contains("default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(page.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(page.header("Cache-Control")).contains("no-store");
        assertThat(document.select("img, style, iframe, object, embed, base"))
                .as(page.html())
                .isEmpty();
        assertThat(document.select("script")).as(page.html()).allSatisfy(script -> {
            assertThat(script.attr("src")).startsWith("/assets/");
            assertThat(script.data()).isEmpty();
        });
        document.getAllElements()
                .forEach(element -> assertThat(element.attributes().asList())
                        .extracting(Attribute::getKey)
                        .as(element.toString())
                        .noneMatch(name -> name.startsWith("on") || name.startsWith("hx-on") || name.equals("style")));
        assertThat(document.select("a[href], form[action], button[formaction]"))
                .as(page.html())
                .allSatisfy(element -> assertThat(
                                element.attr("href") + element.attr("action") + element.attr("formaction"))
                        .matches("(?s)[/#](?!/).*"));
    }

    static Stream<String> actions() {
        return Stream.of(
                "/new-service",
                "/sign-out",
                "/services/orders/edit",
                "/services/orders/check",
                "/services/orders/review",
                "/services/orders/publish",
                "/services/orders/new-rule",
                "/services/orders/rules/everyone",
                "/services/orders/rules/everyone/remove",
                "/services/orders/versions/1/restore",
                "/services/orders/explain",
                "/services/orders/replay",
                "/tokens",
                "/tokens/1/revoke");
    }

    @ParameterizedTest
    @MethodSource("actions")
    void formsOfOtherSessionsAreRefused(String action) {
        String foreign = Visitor.signedIn(service, service.admin()).open("/").csrf();
        String own = admin.open("/").csrf();

        assertThat(own).isNotBlank().isNotEqualTo(foreign);
        for (Map<String, String> fields : List.of(
                Map.of("text", "x"),
                Map.of("text", "x", "csrf", ""),
                Map.of("text", "x", "csrf", foreign),
                Map.of("text", "x", "csrf", own + "x"))) {
            Page page = admin.post(action, fields);
            assertThat(page.status()).as(fields.toString()).isEqualTo(403);
            assertThat(page.text()).contains("Nothing was changed");
            requireHarmless(page);
        }
        assertThat(admin.open("/").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @MethodSource("actions")
    void formsOfOtherSitesAreRefused(String action) {
        String csrf = admin.open("/").csrf();

        for (String site : List.of("cross-site", "same-site")) {
            Page page = admin.ask(admin.request(action)
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .header("Sec-Fetch-Site", site)
                    .POST(Visitor.body(Map.of("csrf", csrf, "text", "x"))));
            assertThat(page.status()).as(site).isEqualTo(403);
            assertThat(page.document().select("[name=text]")).as(site).isEmpty();
        }
    }

    @Test
    void aFormWhoseSessionHasEndedLosesNothing() {
        Visitor visitor = Visitor.signedIn(service, service.admin());
        Page editor = visitor.open("/services/orders/edit");
        String typed = editor.value("text") + "# " + EVIL + "\n  - { name: typed, limits: 1/s }\n";
        visitor.open("/").form("/sign-out").send();

        Page out = sent(
                visitor, "Sec-Fetch-Site", "same-origin", editor.form(REVIEW).with("text", typed));
        visitor.open("/sign-in").form("/sign-in").with("token", service.admin()).send();
        String origin = "http://" + service.uri("/").getAuthority();
        Page in = sent(visitor, "Origin", origin, out.form(""));
        Page review = in.form("").send();

        requireHarmless(out);
        requireHarmless(in);
        assertThat(out.status()).isEqualTo(401);
        assertThat(out.text()).contains("You are signed out", "name: typed");
        assertThat(out.value("text")).isEqualToNormalizingNewlines(typed);
        assertThat(in.status()).isEqualTo(403);
        assertThat(in.text()).contains("You have signed in anew", "nothing was changed yet", "name: typed");
        assertThat(review.status()).isEqualTo(200);
        assertThat(review.form("/services/orders/publish").fields().get("text")).isEqualTo(typed);
    }

    @Test
    void aLargeFormOfNobodyIsNotKept() {
        Page editor = admin.open("/services/orders/edit");

        Page out = sent(
                new Visitor(service),
                "Sec-Fetch-Site",
                "same-origin",
                new Visitor.Form(editor, REVIEW, Map.of("text", "x".repeat(300_000))));

        assertThat(out.address()).isEqualTo("/sign-in");
        assertThat(out.html()).doesNotContain("xxx");
    }

    @Test
    void aFormOfAnEarlierSessionIsNotDoneBeforeItIsSentAgain() {
        Page editor = admin.open("/services/orders/edit");

        Page page = sent(
                admin,
                "Sec-Fetch-Site",
                "same-origin",
                new Visitor.Form(
                        editor,
                        "/services/orders/publish",
                        Map.of("csrf", "old", "tag", editor.value("tag"), "text", editor.value("text") + "# typed\n")));

        assertThat(page.status()).isEqualTo(403);
        assertThat(admin.open("/services/orders/edit").value("tag")).isEqualTo(editor.value("tag"));
    }

    @ParameterizedTest
    @CsvSource({"Sec-Fetch-Site, none", "Origin, https://evil.example", "Origin, null", "X-Other, x"})
    void aFormThatMayBeOfAnotherSiteIsNotShown(String header, String value) {
        Visitor nobody = new Visitor(service);
        Page editor = admin.open("/services/orders/edit");

        Page stale = sent(admin, header, value, editor.form(REVIEW).with("csrf", "old"));
        Page out = sent(nobody, header, value, new Visitor.Form(editor, REVIEW, Map.of("text", "typed")));

        assertThat(stale.status()).isEqualTo(403);
        assertThat(stale.html()).doesNotContain("everyone");
        assertThat(out.address()).isEqualTo("/sign-in");
        assertThat(out.html()).doesNotContain("typed");
    }

    @Test
    void aPageThatStaysOpenGoesOnWithTheNextSession() {
        Map<String, String> fields = Map.of("text", "rules: []");

        Page out = sent(new Visitor(service), fields, "same-origin");
        Page stale = sent(admin, fields, "same-origin");
        String token = stale.header("X-CSRF-Token");

        assertThat(out.status()).isEqualTo(401);
        assertThat(out.header("HX-Redirect")).isEmpty();
        assertThat(out.header("X-CSRF-Token")).isEmpty();
        assertThat(stale.status()).isEqualTo(403);
        assertThat(token).isEqualTo(admin.open("/").csrf());
        assertThat(sent(admin, fields, "none").header("X-CSRF-Token")).isEmpty();
        assertThat(post("check", Map.of("csrf", token, "text", "x")).status()).isEqualTo(200);
    }

    private static Page sent(Visitor visitor, String header, String value, Visitor.Form form) {
        return visitor.ask(visitor.request(form.action())
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header(header, value)
                .POST(Visitor.body(form.fields())));
    }

    private static Page sent(Visitor visitor, Map<String, String> fields, String site) {
        return visitor.ask(visitor.request("/services/orders/check")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("HX-Request", "true")
                .header("X-CSRF-Token", "of an earlier session")
                .header("Sec-Fetch-Site", site)
                .POST(Visitor.body(fields)));
    }

    @Test
    void aFormInAnotherNotationIsRefused() {
        Page page = admin.ask(admin.request("/services/orders/publish")
                .header("Content-Type", "text/plain")
                .POST(Visitor.body(Map.of("csrf", admin.open("/").csrf(), "text", "x"))));

        assertThat(page.status()).isEqualTo(403);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void nobodyGetsInWithoutASession(String path) {
        Page page = new Visitor(service).open(path);

        if (page.status() != 404) {
            assertThat(page.address()).startsWith("/sign-in");
        }
        assertThat(page.text()).doesNotContain("everyone", "Sign out");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example/",
                "//evil.example/",
                "/\\evil.example/",
                "/%2f/evil.example",
                "\\\\evil.example",
                "javascript:alert(1)",
                "/\tevil",
                "/ /evil.example",
                "http:evil.example",
                "/?%zz",
                "/?a\r\nSet-Cookie: x",
                ""
            })
    void signingInLeadsToNoOtherSite(String next) throws Exception {
        HttpResponse<Void> answer = HttpClient.newHttpClient()
                .send(
                        new Visitor(service)
                                .request("/sign-in")
                                .header("Content-Type", "application/x-www-form-urlencoded")
                                .POST(Visitor.body(Map.of("token", service.admin(), "next", next)))
                                .build(),
                        HttpResponse.BodyHandlers.discarding());

        assertThat(answer.statusCode()).isEqualTo(303);
        URI location =
                service.uri("/").resolve(answer.headers().firstValue("Location").orElseThrow());
        assertThat(location.getAuthority()).isEqualTo(service.uri("/").getAuthority());
        assertThat(location.getPath()).isEqualTo("/");
    }

    @Test
    void anAddressThatIsSharedSurvivesSigningIn() throws Exception {
        HttpResponse<Void> asked = HttpClient.newHttpClient()
                .send(
                        new Visitor(service)
                                .request("/services/orders/explain?path=/api/orders%2F7&user=alice")
                                .build(),
                        HttpResponse.BodyHandlers.discarding());
        String signIn = asked.headers().firstValue("Location").orElseThrow();
        String next = URLDecoder.decode(signIn.substring(signIn.indexOf("next=") + 5), StandardCharsets.UTF_8);

        HttpResponse<Void> signedIn = HttpClient.newHttpClient()
                .send(
                        new Visitor(service)
                                .request("/sign-in")
                                .header("Content-Type", "application/x-www-form-urlencoded")
                                .POST(Visitor.body(Map.of("token", service.admin(), "next", next)))
                                .build(),
                        HttpResponse.BodyHandlers.discarding());

        assertThat(signedIn.headers().firstValue("Location").orElseThrow())
                .endsWith("/services/orders/explain?path=%2Fapi%2Forders%2F7&user=alice");
    }

    @Test
    void signingInLeadsBackToThePageThatWasAskedFor() {
        Visitor visitor = new Visitor(service);
        Page signIn = visitor.open("/services/orders/history");

        Page page = signIn.form("/sign-in").with("token", service.admin()).send();

        assertThat(page.address()).isEqualTo("/services/orders/history");
    }

    @Test
    void theCookieIsForThisSiteAndNoScript() throws Exception {
        HttpResponse<Void> answer = HttpClient.newHttpClient()
                .send(
                        new Visitor(service)
                                .request("/sign-in")
                                .header("Content-Type", "application/x-www-form-urlencoded")
                                .POST(Visitor.body(Map.of("token", service.admin())))
                                .build(),
                        HttpResponse.BodyHandlers.discarding());

        assertThat(answer.headers().firstValue("Set-Cookie").orElseThrow())
                .containsIgnoringCase("HttpOnly")
                .containsIgnoringCase("SameSite=Lax")
                .containsIgnoringCase("Path=/")
                .doesNotContainIgnoringCase("Domain")
                .doesNotContain(service.admin());
    }

    @Test
    void aSessionEndsWithSigningOut() {
        Visitor visitor = Visitor.signedIn(service, service.admin());
        String cookie = visitor.cookies().get(0).getValue();

        visitor.open("/").form("/sign-out").send();

        Page again = new Visitor(service)
                .ask(new Visitor(service)
                        .request("/services/orders")
                        .header("Cookie", "ratelimit-session=" + cookie)
                        .GET());
        assertThat(again.address()).startsWith("/sign-in");
    }
}
