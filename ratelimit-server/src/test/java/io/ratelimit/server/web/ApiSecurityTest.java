package io.ratelimit.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.web.RunningService.Answer;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What hostile callers of the API try. */
class ApiSecurityTest {

    private static final String RULES = "service: %s\nrules:\n  - { name: everyone, limits: 10/s }\n";

    private static RunningService service;

    @BeforeAll
    static void start() {
        service = RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:api-security", null, null));
        service.publish("orders", RULES.formatted("orders"));
        service.publish("billing", RULES.formatted("billing"));
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    /** Each way into the API: a new one is added here, or {@code everyWayInIsTried} fails. */
    static Stream<String> waysIn() {
        return Stream.of(
                "GET /v1/services",
                "GET /v1/services/orders/rules",
                "PUT /v1/services/orders/rules",
                "DELETE /v1/services/orders/rules",
                "POST /v1/services/orders/rules",
                "GET /v1/services/orders/rules/everyone",
                "PUT /v1/services/orders/rules/everyone",
                "DELETE /v1/services/orders/rules/everyone",
                "POST /v1/services/orders/check",
                "POST /v1/services/orders/replay",
                "POST /v1/services/orders/reports",
                "GET /v1/services/orders/hosts",
                "GET /v1/services/orders/activity",
                "GET /v1/services/orders/activity/everyone/clients",
                "POST /v1/services/orders/explain",
                "GET /v1/services/orders/diff?from=1&to=1",
                "GET /v1/services/orders/versions",
                "GET /v1/services/orders/versions/1",
                "GET /v1/services/orders/versions/1/rules",
                "POST /v1/services/orders/versions/1/restore",
                "GET /v1/services/orders/events",
                "GET /v1/tokens",
                "POST /v1/tokens",
                "DELETE /v1/tokens/1",
                "GET /v1/audit",
                "GET /metrics");
    }

    @Test
    void everyWayInIsTried() {
        ApiDescription description =
                new ApiDescription(service.get("/openapi.yaml", null).body());
        Set<String> tried = waysIn().map(way -> way.split(" "))
                .map(way -> description.operationOf(way[0], way[1]).orElseThrow())
                .collect(Collectors.toSet());

        assertThat(description.operations())
                .filteredOn(operation -> !description.operation(operation).has("security"))
                .containsExactlyInAnyOrderElementsOf(tried);
    }

    @ParameterizedTest
    @MethodSource("waysIn")
    void letsNobodyInWithoutAToken(String way) {
        assertThat(ask(way, null).status()).isEqualTo(401);
    }

    @ParameterizedTest
    @MethodSource("waysIn")
    void letsNobodyInWithAForgedToken(String way) {
        assertThat(ask(way, "rlt_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA").status())
                .isEqualTo(401);
    }

    @ParameterizedTest
    @MethodSource("waysIn")
    void letsNobodyDoWithAForeignTokenWhatItIsNotFor(String way) {
        String foreign = service.token("foreign", "editor", "billing");

        Answer answer = ask(way, foreign);

        if (way.equals("GET /v1/services")) {
            assertThat(answer.body()).contains("billing").doesNotContain("orders");
        } else {
            assertThat(answer.status()).as(answer.toString()).isEqualTo(403);
        }
    }

    @Test
    void letsNoRoleDoWhatAHigherOneMay() {
        String host = service.token("a host", "host", "orders");
        String viewer = service.token("a viewer", "viewer", "orders");
        String editor = service.token("an editor", "editor", "orders");

        assertThat(ask("GET /v1/services/orders/versions", host).status()).isEqualTo(403);
        assertThat(ask("PUT /v1/services/orders/rules", host).status()).isEqualTo(403);
        assertThat(ask("PUT /v1/services/orders/rules", viewer).status()).isEqualTo(403);
        assertThat(ask("POST /v1/services/orders/versions/1/restore", viewer).status())
                .isEqualTo(403);
        assertThat(ask("POST /v1/tokens", editor).status()).isEqualTo(403);
        assertThat(ask("GET /v1/audit", editor).status()).isEqualTo(403);
        assertThat(ask("DELETE /v1/services/orders/rules", editor).status()).isEqualTo(403);
    }

    @Test
    void takesNoCookieForAToken() {
        Answer answer = service.send(service.request("/v1/tokens", null)
                .header("Cookie", "ratelimit-session=" + service.admin())
                .GET());

        assertThat(answer.status()).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/services/../tokens",
                "/v1/services/%2e%2e/rules",
                "/v1/services/..%2forders/rules",
                "/v1/services/orders%00/rules",
                "/v1/services/orders%2frules/rules",
                "/v1/services/%252e%252e/rules",
                "/v1//services/orders/rules",
                "/v1/services/orders%5c..%5cbilling/rules",
                "/V1/services/orders/rules"
            })
    void findsNothingByOddPaths(String path) throws Exception {
        String answer = raw("GET " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + service.admin()
                + "\r\nConnection: close\r\n\r\n");

        assertThat(answer.lines().findFirst().orElse("")).containsPattern("HTTP/1.1 (303|400|404)");
        assertThat(answer).doesNotContain("everyone");
    }

    @Test
    void readsAServicesNameWithoutItsMatrixParameters() {
        String foreign = service.token("foreign", "editor", "billing");

        assertThat(service.get("/v1/services/orders;x=1/rules", foreign).status())
                .isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1;x=1/services", "/v1;x=1/services/orders/rules", "/v1;x=1/tokens"})
    void letsNobodyInByAWayThatTheFilterDoesNotKnow(String path) {
        assertThat(service.get(path, null).status()).isIn(303, 401);
        assertThat(service.get(path, service.admin()).status()).isIn(303, 401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", ".", "a b", "orders'--", "%3Cscript%3E", "ü", ""})
    void takesNoServiceNameThatIsNone(String name) {
        String path = "/v1/services/" + name.replace(" ", "%20").replace("ü", "%C3%BC") + "/rules";

        Answer answer = service.send(service.request(path, service.admin())
                .header("If-Match", "*")
                .PUT(HttpRequest.BodyPublishers.ofString(RULES.formatted("x"))));

        assertThat(answer.status()).isBetween(400, 405);
    }

    @ParameterizedTest
    @ValueSource(strings = {"' or '1'='1", "'; drop table service; --", "\\", "%00", "${jndi:x}", "'||pg_sleep(5)||'"})
    void takesSqlInAnyFieldForText(String text) {
        String comment = java.net.URLEncoder.encode(text, StandardCharsets.UTF_8);
        Answer published = service.send(service.request("/v1/services/orders/rules?comment=" + comment, service.admin())
                .header("If-Match", "*")
                .PUT(HttpRequest.BodyPublishers.ofString(RULES.formatted("orders") + "# " + text + "\n")));
        Answer token = service.post(
                "/v1/tokens",
                service.admin(),
                "{\"name\":\"" + text.replace("\\", "\\\\") + "\",\"role\":\"viewer\",\"services\":[\"orders\"]}");
        Answer audit = service.get("/v1/audit?service=" + comment, service.admin());
        Answer tag = service.send(service.request("/v1/services/orders/rules", service.admin())
                .header("If-Match", "\"" + text.replace(" ", "") + "\"")
                .PUT(HttpRequest.BodyPublishers.ofString(RULES.formatted("orders"))));

        assertThat(published.status()).as(published.toString()).isEqualTo(200);
        assertThat(published.json().get("comment").asText())
                .isEqualTo(java.net.URLDecoder.decode(comment, StandardCharsets.UTF_8));
        assertThat(token.status()).as(token.toString()).isEqualTo(201);
        assertThat(audit.body()).isEqualTo("[]");
        assertThat(tag.status()).isEqualTo(412);
        assertThat(service.get("/v1/services", service.admin()).json()).hasSize(2);
    }

    @Test
    void refusesABodyThatIsTooLargeBeforeItIsRead() throws Exception {
        String answer = raw("PUT /v1/services/orders/rules HTTP/1.1\r\nHost: x\r\nConnection: close\r\nIf-Match: *\r\n"
                + "Authorization: Bearer " + service.admin() + "\r\nContent-Length: 99999999999\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 413");
    }

    @Test
    void refusesRulesThatAreTooLarge() {
        Answer answer = service.publish("orders", RULES.formatted("orders") + "#".repeat(5 << 20));

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.json().get("detail").asText()).contains("4");
    }

    @Test
    void refusesAYamlBombAtOnce() {
        StringBuilder bomb = new StringBuilder("service: orders\nrules: []\nclients: &a0 [user]\n");
        for (int i = 1; i < 60; i++) {
            bomb.append("x")
                    .append(i)
                    .append(": &a")
                    .append(i)
                    .append(" [")
                    .append(("*a" + (i - 1) + ",").repeat(9))
                    .append("*a")
                    .append(i - 1)
                    .append("]\n");
        }

        assertThat(service.publish("orders", bomb.toString()).status()).isEqualTo(422);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{",
                "{\"name\":\"x\"}",
                "{\"name\":\"x\",\"role\":\"root\",\"services\":[\"*\"]}",
                "{\"name\":\"x\",\"role\":\"admin\",\"services\":[\"orders\"]}",
                "{\"name\":\"x\",\"role\":\"editor\",\"services\":[]}",
                "{\"name\":\"x\",\"role\":\"editor\",\"services\":[\"*\",\"orders\"]}",
                "{\"name\":\"\",\"role\":\"editor\",\"services\":[\"orders\"]}",
                "{\"name\":\"a\\nb\",\"role\":\"editor\",\"services\":[\"orders\"]}",
                "{\"name\":\"x\",\"role\":\"editor\",\"services\":[\"orders\"],\"expires\":\"2001-01-01T00:00:00Z\"}",
                "{\"name\":\"x\",\"role\":\"editor\",\"services\":[\"orders\"],\"isAdmin\":true}",
                "{\"name\":\"x\",\"role\":\"editor\",\"services\":[null]}",
                "{\"name\":\"half \\ud83d\",\"role\":\"editor\",\"services\":[\"orders\"]}",
                "{\"name\":\"x\",\"role\":\"editor\",\"services\":[\"orders\"],\"expires\":\"+10000-01-01T00:00:00Z\"}"
            })
    void givesOutNoTokenThatWasNotAskedForProperly(String wanted) {
        Answer answer = service.post("/v1/tokens", service.admin(), wanted);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(answer.json().get("detail").asText()).isNotBlank().doesNotContain("io.ratelimit", "java.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"versions?before=x", "versions?before=99999999999999999999", "activity?since=1e3"})
    void namesTheQueryParameterThatItCannotRead(String path) {
        Answer answer = service.get("/v1/services/orders/" + path, service.admin());

        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.json().get("detail").asText())
                .contains("'" + path.replaceAll(".*[?]|=.*", "") + "'")
                .doesNotContain("java.");
    }

    @Test
    void saysWhatATokenIsNotFor() {
        String editor = service.token("alice", "editor", "billing");
        String viewer = service.token("bob", "viewer", "orders");
        String all = service.token("carol", "viewer", "*");

        assertThat(detail(service.get("/v1/services/orders/rules", editor)))
                .startsWith("the token 'alice' is an editor's, but not for this service: ");
        assertThat(detail(service.get("/v1/tokens", viewer)))
                .startsWith("the token 'bob' is a viewer's, which may not do this: ");
        assertThat(detail(service.get("/metrics", viewer)))
                .startsWith("the token 'bob' is a viewer's, but not for all services: ");
        assertThat(service.get("/metrics", all).status()).isEqualTo(200);
    }

    @Test
    void saysWhichContentTypeIsWanted() {
        Answer answer = service.send(service.request("/v1/tokens", service.admin())
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"name\":\"x\",\"role\":\"viewer\",\"services\":[\"*\"]}")));

        assertThat(answer.status()).isEqualTo(415);
        assertThat(detail(answer)).isEqualTo("send Content-Type: application/json");
        assertThat(answer.json().get("type").asText()).isEqualTo("urn:ratelimit:problem:unsupported-media-type");
    }

    @Test
    void givesOutATokenForAServiceThatIsNotThereYetWithANote() {
        String wanted = "{\"name\":\"x\",\"role\":\"host\",\"services\":[\"orders\",\"ordrs\"]}";

        Answer answer = service.post("/v1/tokens", service.admin(), wanted);

        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.json().get("notes"))
                .singleElement()
                .extracting(JsonNode::asText)
                .isEqualTo("there is no service 'ordrs' yet: look at how its name is spelt");
        assertThat(service.post("/v1/tokens", service.admin(), wanted.replace(",\"ordrs\"", ""))
                        .json()
                        .has("notes"))
                .isFalse();
    }

    private static String detail(Answer answer) {
        return answer.json().get("detail").asText();
    }

    @Test
    void tellsNoSecretOfATokenAgain() {
        String secret = service.token("told once", "viewer", "orders");

        assertThat(service.get("/v1/tokens", service.admin()).body()).doesNotContain(secret);
        assertThat(service.get("/v1/audit", service.admin()).body()).doesNotContain(secret);
    }

    @Test
    void limitsWhoeverTriesTokensOutAtTheSignInPage() {
        List<Integer> statuses = new ArrayList<>();
        try (RunningService own = RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:guessed", null, null))) {
            for (int i = 0; i < 30; i++) {
                statuses.add(own.send(own.request("/sign-in", null)
                                .header("Content-Type", "application/x-www-form-urlencoded")
                                .POST(HttpRequest.BodyPublishers.ofString("token=rlt_guess" + i)))
                        .status());
            }
        }

        assertThat(statuses).contains(401, 429);
        assertThat(statuses.stream().filter(status -> status == 401).count()).isBetween(20L, 21L);
    }

    @Test
    void letsHostsInWhoseNeighbourHasAnOldToken() {
        for (int i = 0; i < 300; i++) {
            service.get("/v1/services/orders/rules", "rlt_old");
        }

        assertThat(service.get("/v1/services/orders/rules", service.admin()).status())
                .isEqualTo(200);
    }

    private Answer ask(String way, String token) {
        String[] words = way.split(" ");
        HttpRequest.Builder request = service.request(words[1], token)
                .header("If-Match", "\"no-such-tag\"")
                .header("Content-Type", "application/json")
                .method(words[0], HttpRequest.BodyPublishers.ofString("{}"));
        return service.send(request);
    }

    private static String raw(String request) throws Exception {
        return RawConnection.exchange(service.uri("/").getPort(), request);
    }
}
