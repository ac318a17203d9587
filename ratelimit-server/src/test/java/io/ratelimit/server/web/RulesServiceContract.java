package io.ratelimit.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.web.RunningService.Answer;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What the service does over HTTP, whichever database it has. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RulesServiceContract {

    private static final String RULES = """
            # what people wrote stays
            service: %s
            rules:
              - name: everyone
                limits: %s   # a comment
            """;

    private RunningService service;
    private DatabaseSettings database;

    abstract DatabaseSettings database() throws Exception;

    @BeforeAll
    void start() throws Exception {
        database = database();
        service = RunningService.firstStart(database);
    }

    @AfterAll
    void stop() {
        service.close();
    }

    @Test
    void givesHostsTheRulesAsTheyWerePublishedWithAllThatTheyNeedToFollowThem() {
        String rules = rules("given", "10/s");
        service.publish("given", rules);
        String host = service.token("hosts", "host", "given");

        Answer answer = service.get("/v1/services/given/rules", host);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(rules);
        assertThat(answer.header("ETag")).matches("\"1-[0-9a-f]{8}\"");
        assertThat(answer.header("Content-Type")).startsWith("application/yaml");
        assertThat(answer.header("RateLimit-Rules")).matches("1;published=\\d{13}");
        assertThat(answer.header("Repr-Digest")).matches("sha-256=:[A-Za-z0-9+/]{43}=:");
        assertThat(answer.header("Link")).contains("</v1/services/given/events>; rel=\"events\"");
        assertThat(answer.header("Content-Length")).isEqualTo(String.valueOf(rules.length()));
    }

    @Test
    void answersAHostThatHasTheRulesWithoutThem() {
        service.publish("known", rules("known", "10/s"));
        String tag = service.get("/v1/services/known/rules", service.admin()).header("ETag");

        Answer answer = service.send(service.request("/v1/services/known/rules", service.admin())
                .header("If-None-Match", tag)
                .GET());

        assertThat(answer.status()).isEqualTo(304);
        assertThat(answer.header("RateLimit-Rules")).startsWith("1;published=");
    }

    @Test
    void countsVersionsAndKeepsEachWithAuthorTimeAndComment() {
        String alice = service.token("alice", "editor", "counted");
        put("counted", alice, "If-None-Match", "*", rules("counted", "10/s"), "the+first");
        Answer second = put("counted", alice, "If-Match", "*", rules("counted", "20/s"), "more");

        JsonNode versions = service.get("/v1/services/counted/versions", alice).json();
        assertThat(second.json().get("number").asLong()).isEqualTo(2);
        assertThat(versions).hasSize(2);
        assertThat(versions.get(1).get("author").asText()).isEqualTo("alice");
        assertThat(versions.get(1).get("comment").asText()).isEqualTo("the first");
        assertThat(versions.get(1).get("ruleCount").asInt()).isEqualTo(1);
        assertThat(service.get("/v1/services/counted/versions/1/rules", alice).body())
                .isEqualTo(rules("counted", "10/s"));
    }

    @Test
    void refusesALostUpdateWithTheOthersVersion() {
        service.publish("shared", rules("shared", "10/s"));
        String seen = service.get("/v1/services/shared/rules", service.admin()).header("ETag");
        String bob = service.token("bob", "editor", "shared");
        put("shared", bob, "If-Match", seen, rules("shared", "11/s"), "faster");

        Answer late = put("shared", service.admin(), "If-Match", seen, rules("shared", "9/s"), "");

        assertThat(late.status()).isEqualTo(412);
        assertThat(late.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(late.json().get("current").get("author").asText()).isEqualTo("bob");
        assertThat(late.json().get("current").get("number").asInt()).isEqualTo(2);
        assertThat(late.header("ETag")).startsWith("\"2-");
        assertThat(service.get("/v1/services/shared/rules", bob).body()).contains("11/s");
    }

    @Test
    void letsAPublicationBeRepeatedWhoseAnswerWasLost() {
        service.publish("repeated", rules("repeated", "10/s"));
        String seen =
                service.get("/v1/services/repeated/rules", service.admin()).header("ETag");
        put("repeated", service.admin(), "If-Match", seen, rules("repeated", "11/s"), "");

        Answer again = put("repeated", service.admin(), "If-Match", seen, rules("repeated", "11/s"), "");

        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json().get("number").asInt()).isEqualTo(2);
    }

    @Test
    void asksWhatAnAuthorHasSeen() {
        Answer blind = service.send(service.request("/v1/services/blind/rules", service.admin())
                .PUT(HttpRequest.BodyPublishers.ofString(rules("blind", "10/s"))));

        assertThat(blind.status()).isEqualTo(428);
        assertThat(blind.json().get("detail").asText()).contains("If-Match");
    }

    @Test
    void refusesRulesThatAreNotValidWithEachMistakeAndItsLine() {
        Answer answer = service.publish("wrong", """
                service: wrong
                rules:
                  - name: everyone
                    limit: 10/s
                  - name: everyone
                    limits: 10 per fortnight
                """);

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.json().get("errors").findValuesAsText("line")).contains("4", "5", "6");
        assertThat(answer.json().get("errors").get(0).get("message").asText()).contains("limits");
        assertThat(service.get("/v1/services/wrong/rules", service.admin()).status())
                .isEqualTo(404);
    }

    @Test
    void refusesTheRulesOfAnotherService() {
        Answer answer = service.publish("mine", rules("theirs", "10/s"));

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.body()).contains("theirs");
    }

    @Test
    void restoresAnEarlierVersionAsANewOne() {
        service.publish("restored", rules("restored", "10/s"));
        service.publish("restored", rules("restored", "20/s"));
        String tag = service.get("/v1/services/restored/rules", service.admin()).header("ETag");

        Answer answer = service.send(service.request("/v1/services/restored/versions/1/restore", service.admin())
                .header("If-Match", tag)
                .POST(HttpRequest.BodyPublishers.noBody()));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().get("number").asInt()).isEqualTo(3);
        assertThat(answer.json().get("restoredFrom").asInt()).isEqualTo(1);
        assertThat(service.get("/v1/services/restored/rules", service.admin()).body())
                .isEqualTo(rules("restored", "10/s"));
    }

    @Test
    void takesAServiceOutAndCountsOnWhenItComesBack() {
        service.publish("gone", rules("gone", "10/s"));
        Answer deleted = service.send(service.request("/v1/services/gone/rules", service.admin())
                .header("If-Match", "*")
                .DELETE());

        assertThat(deleted.status()).isEqualTo(204);
        assertThat(service.get("/v1/services/gone/rules", service.admin()).status())
                .isEqualTo(404);
        Answer back = put("gone", service.admin(), "If-None-Match", "*", rules("gone", "10/s"), "");
        assertThat(back.json().get("number").asInt()).isEqualTo(2);
    }

    @Test
    void losesNoUpdateOfFiftyEditorsAtOnce() throws Exception {
        service.publish("crowd", rules("crowd", "1/s"));
        ExecutorService editors = Executors.newFixedThreadPool(50);
        List<Future<Integer>> tries = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            String limit = (i + 2) + "/s";
            String editor = service.token("editor " + i, "editor", "crowd");
            tries.add(editors.submit(() -> publishUntilStored(limit, editor)));
        }
        for (Future<Integer> attempt : tries) {
            attempt.get();
        }
        editors.shutdown();

        JsonNode versions =
                service.get("/v1/services/crowd/versions", service.admin()).json();
        assertThat(versions).hasSize(51);
        List<String> comments = versions.findValuesAsText("comment");
        for (int i = 0; i < 50; i++) {
            assertThat(comments).contains((i + 2) + "/s");
        }
    }

    private int publishUntilStored(String limit, String editor) {
        for (int attempt = 1; ; attempt++) {
            String seen = service.get("/v1/services/crowd/rules", editor).header("ETag");
            Answer answer = put("crowd", editor, "If-Match", seen, rules("crowd", limit), limit);
            if (answer.status() == 200) {
                return attempt;
            }
            assertThat(answer.status()).as(answer.toString()).isEqualTo(412);
        }
    }

    @Test
    void hasAllOfItAfterARestart() {
        service.publish("kept", rules("kept", "10/s"));
        String viewer = service.token("viewer of kept", "viewer", "kept");
        String admin = service.admin();
        service.close();

        service = RunningService.again(database, admin);

        assertThat(service.get("/v1/services/kept/rules", viewer).body()).isEqualTo(rules("kept", "10/s"));
    }

    @Test
    void takesNoTextThatItCouldNotGiveBack() {
        service.publish("texts", rules("texts", "10/s"));

        Answer nul = service.send(service.request("/v1/services/texts/rules?comment=%00", service.admin())
                .header("If-Match", "*")
                .PUT(HttpRequest.BodyPublishers.ofString(rules("texts", "11/s"))));
        Answer latin = service.send(service.request("/v1/services/texts/rules", service.admin())
                .header("If-Match", "*")
                .PUT(HttpRequest.BodyPublishers.ofString(
                        rules("texts", "11/s") + "# für alle", StandardCharsets.ISO_8859_1)));

        assertThat(nul.status()).isEqualTo(400);
        assertThat(latin.status()).isEqualTo(400);
        assertThat(latin.json().get("detail").asText()).contains("UTF-8");
        assertThat(service.get("/v1/audit?service=%00", service.admin()).body()).isEqualTo("[]");
    }

    @Test
    void givesAHostItsRulesWhateverItTellsOfItself() {
        service.publish("odd", rules("odd", "10/s"));

        Answer answer = service.send(service.request("/v1/services/odd/rules", service.token("hosts", "host", "odd"))
                .header("RateLimit-Host", "x".repeat(2_000))
                .header("RateLimit-In-Force", "y".repeat(2_000))
                .GET());

        assertThat(answer.status()).isEqualTo(200);
    }

    @Test
    void writesDownWhoDidWhat() {
        service.publish("audited", rules("audited", "10/s"));

        JsonNode entries =
                service.get("/v1/audit?service=audited", service.admin()).json();

        assertThat(entries.get(0).get("action").asText()).isEqualTo("publish");
        assertThat(entries.get(0).get("actor").asText()).isEqualTo("bootstrap");
        assertThat(entries.get(0).get("detail").asText()).isEqualTo("version 1");
    }

    @Test
    void endsATokenThatIsRevoked() {
        String bearer = service.token("short", "viewer", "revoked");
        long id = service.get("/v1/tokens", service.admin())
                .json()
                .get(0)
                .get("id")
                .asLong();

        service.send(service.request("/v1/tokens/" + id, service.admin()).DELETE());

        assertThat(service.get("/v1/services", bearer).status()).isEqualTo(401);
    }

    @Test
    void doesNotLetTheLastAdminShutThemselvesOut() {
        long id = 1;

        Answer answer = service.send(
                service.request("/v1/tokens/" + id, service.admin()).DELETE());

        assertThat(answer.status()).isEqualTo(409);
        assertThat(service.get("/v1/tokens", service.admin()).status()).isEqualTo(200);
    }

    @Test
    void tellsWhoeverListensOfAPublicationWithinASecond() throws Exception {
        service.publish("pushed", rules("pushed", "10/s"));
        try (EventReader events = service.events("/v1/services/pushed/events", service.admin())) {
            assertThat(events.next(Duration.ofSeconds(5))).contains("id: 1", "event: published", "\"version\":1");

            service.publish("pushed", rules("pushed", "20/s"));

            String event = events.next(Duration.ofSeconds(1));
            String tag =
                    service.get("/v1/services/pushed/rules", service.admin()).header("ETag");
            assertThat(event).contains("id: 2", "\"tag\":\"" + tag.replace("\"", "\\\"") + "\"");
        }
    }

    @Test
    void tellsNothingMoreToWhoseTokenWasRevokedAtAnotherProcess() throws Exception {
        service.publish("left", rules("left", "10/s"));
        String bearer = service.token("leaver", "viewer", "left");
        long id = service.get("/v1/tokens", service.admin())
                .json()
                .get(0)
                .get("id")
                .asLong();
        try (RunningService other = RunningService.again(database, service.admin());
                EventReader staying = service.events("/v1/services/left/events", service.admin());
                EventReader leaving = service.events("/v1/services/left/events", bearer)) {
            assertThat(staying.next(Duration.ofSeconds(5))).contains("id: 1");
            assertThat(leaving.next(Duration.ofSeconds(5))).contains("id: 1");

            other.send(other.request("/v1/tokens/" + id, other.admin()).DELETE());
            service.publish("left", rules("left", "20/s"));

            assertThat(staying.next(Duration.ofSeconds(5))).contains("id: 2");
            leaving.awaitEnd(Duration.ofSeconds(5));
        }
    }

    @Test
    void changesSingleRulesAndLeavesAllElseAsItWasWritten() {
        service.publish("single", rules("single", "10/s"));
        Answer added =
                edit("POST", "single", "", "{\"name\":\"login\",\"match\":{\"path\":\"/login\"},\"limits\":[\"5/m\"]}");
        assertThat(added.status()).as(added.toString()).isEqualTo(200);
        assertThat(service.get("/v1/services/single/rules/login", service.admin())
                        .json()
                        .at("/match/path")
                        .asText())
                .isEqualTo("/login");

        edit("PUT", "single", "/login", "name: login\nlimits: [6/m]\n");
        Answer text = service.get("/v1/services/single/rules", service.admin());
        assertThat(text.body())
                .startsWith(rules("single", "10/s"))
                .contains("6/m")
                .doesNotContain("5/m");

        edit("DELETE", "single", "/login", "");
        assertThat(service.get("/v1/services/single/rules", service.admin()).body())
                .isEqualTo(rules("single", "10/s"));
    }

    @Test
    void refusesEditsOfSingleRulesThatCannotBe() {
        service.publish("edits", rules("edits", "10/s"));

        assertThat(edit("PUT", "edits", "/nobody", "name: nobody\nlimits: [6/m]\n")
                        .status())
                .isEqualTo(404);
        assertThat(edit("POST", "edits", "", "name: everyone\nlimits: [6/m]\n").status())
                .isEqualTo(409);
        Answer invalid = edit("POST", "edits", "", "name: login\nlimits: [6/fortnight]\n");
        assertThat(invalid.status()).isEqualTo(422);
        assertThat(invalid.json().get("errors").get(0).get("rule").asText()).isEqualTo("login");
    }

    @Test
    void tellsHowVersionsDiffer() {
        service.publish("differing", rules("differing", "10/s"));
        service.publish("differing", rules("differing", "20/s"));

        assertThat(service.get("/v1/services/differing/diff?from=1&to=2", service.admin())
                        .body())
                .contains("--- version 1", "+++ version 2", "-    limits: 10/s", "+    limits: 20/s");
    }

    @Test
    void checksADraftAndExplainsARequestUnderIt() {
        service.publish("tried", rules("tried", "10/s"));
        Answer checked =
                service.post("/v1/services/tried/check", service.admin(), "service: tried\nrules: [{ name: a }]");
        Answer inForce = service.post(
                "/v1/services/tried/explain", service.admin(), "{\"request\":\"GET /x user=alice\",\"times\":3}");
        Answer draft = service.post(
                "/v1/services/tried/explain",
                service.admin(),
                "{\"request\":\"GET /x user=alice\",\"times\":3,\"rules\":\"service: tried\\nrules: [{ name: a, limits: 2/h }]\"}");

        assertThat(checked.json().get("valid").asBoolean()).isFalse();
        assertThat(checked.json().get("findings").get(0).get("line").asInt()).isEqualTo(2);
        assertThat(inForce.json().get("allowed").asBoolean())
                .as(inForce.toString())
                .isTrue();
        assertThat(inForce.json().at("/rules/0/limits/0/remaining").asInt()).isEqualTo(8);
        assertThat(draft.json().get("outcome").asText()).as(draft.toString()).startsWith("refused by a");
    }

    @Test
    void seesWhichHostsHaveTheRulesInForce() {
        service.publish("followed", rules("followed", "10/s"));
        String host = service.token("hosts", "host", "followed");
        String tag = service.get("/v1/services/followed/rules", host).header("ETag");
        poll("followed", host, "app-1/aaaaaaaa", tag);
        poll("followed", host, "app-2/bbbbbbbb", "\"0-00000000\"");
        poll("followed", service.token("a viewer", "viewer", "followed"), "not-a-host", tag);

        JsonNode hosts = service.get("/v1/services/followed/hosts", service.admin())
                .json()
                .get("hosts");

        assertThat(hosts.findValuesAsText("name")).containsExactly("app-1/aaaaaaaa", "app-2/bbbbbbbb");
        assertThat(hosts.findValuesAsText("state")).containsExactly("CURRENT", "OTHER");
    }

    private void poll(String name, String token, String host, String tag) {
        service.send(service.request("/v1/services/" + name + "/rules", token)
                .header("RateLimit-Host", host)
                .header("RateLimit-In-Force", tag)
                .GET());
    }

    @Test
    void chartsAndReplaysWhatHostsReport() {
        service.publish("reported", rules("reported", "10/s"));
        String host = service.token("hosts", "host", "reported");
        long now = System.currentTimeMillis();
        StringBuilder requests = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            requests.append(i == 0 ? "" : ",")
                    .append("{\"at\":" + (now - 1000) + ",\"method\":\"GET\",\"path\":\"/api\",\"user\":\"alice\"}");
        }
        Answer taken = service.post("/v1/services/reported/reports", host, """
                {"host":"app-1/aaaaaaaa","tag":null,"origin":"SOURCE","since":%1$d,"error":null,"from":%2$d,"to":%1$d,
                 "rules":[{"rule":"everyone","allowed":8,"refused":3,"shadow":0}],
                 "refusedClients":[{"rule":"everyone","client":"user=<b>bob</b>","refused":3}],
                 "share":1.0,"requests":[%3$s]}
                """.formatted(now, now - 5000, requests));
        assertThat(taken.status()).as(taken.toString()).isEqualTo(204);

        JsonNode series =
                service.get("/v1/services/reported/activity", service.admin()).json();
        assertThat(series.at("/rules/0/rule").asText()).isEqualTo("everyone");
        long refused = 0;
        for (JsonNode slot : series.at("/rules/0/refused")) {
            refused += slot.asLong();
        }
        assertThat(refused).isEqualTo(3);
        assertThat(service.get("/v1/services/reported/activity/everyone/clients", service.admin())
                        .json()
                        .at("/0/client")
                        .asText())
                .isEqualTo("user=<b>bob</b>");

        Answer replayed = service.post("/v1/services/reported/replay", service.admin(), rules("reported", "5/s"));
        assertThat(replayed.json().at("/draft/refused/count").asLong())
                .as(replayed.toString())
                .isEqualTo(3);
        assertThat(replayed.json().at("/inForce/refused/count").asLong()).isZero();
        assertThat(replayed.json().at("/newlyRefused/0/client").asText()).contains("alice");
    }

    private Answer edit(String method, String name, String rule, String body) {
        return service.send(service.request("/v1/services/" + name + "/rules" + rule, service.admin())
                .header("If-Match", "*")
                .header("Content-Type", "text/plain")
                .method(method, HttpRequest.BodyPublishers.ofString(body)));
    }

    private Answer put(String name, String token, String precondition, String value, String rules, String comment) {
        return service.send(service.request("/v1/services/" + name + "/rules?comment=" + comment, token)
                .header(precondition, value)
                .PUT(HttpRequest.BodyPublishers.ofString(rules)));
    }

    private static String rules(String name, String limit) {
        return RULES.formatted(name, limit);
    }
}
