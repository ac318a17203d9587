package io.ratelimit.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecideTest {

    private static final String RULES = """
            service: shop
            clients: [user, ip]
            rules:
              - name: everyone
                match: { path: /api/** }
                limits: [5/h]
              - name: exports
                match: { operation: export }
                limits: [10/h, 100/d]
              - name: keys
                match: { path: /keys }
                key: [header:X-Api-Key, cookie:sid, attribute:tier]
                limits: [1/h]
              - name: log-in
                match: { path: /log-in }
                charge: { when: response, status: [401] }
                limits: [2/h]
              - name: careful
                match: { path: /careful }
                limits: [1/h]
                onExceeded: shadow
            """;

    @TempDir
    private static Path directory;

    private static RunningDaemon daemon;

    @BeforeAll
    static void start() {
        daemon = RunningDaemon.start(directory, RULES);
    }

    @AfterAll
    static void stop() {
        daemon.close();
    }

    @Test
    void aRequestIsChargedUntilItsLimitIsUsedUp() throws Exception {
        for (int left = 4; left >= 0; left--) {
            JsonNode passes = daemon.decide("{\"path\":\"/api/orders\",\"user\":\"alice\"}");
            assertThat(passes.get("allowed").asBoolean()).isTrue();
            assertThat(passes.at("/limits/0/remaining").asLong()).isEqualTo(left);
        }

        JsonNode refused = daemon.decide("{\"path\":\"/api/orders\",\"user\":\"alice\"}");

        assertThat(refused.get("allowed").asBoolean()).isFalse();
        assertThat(refused.get("reason").asText()).isEqualTo("LIMIT_EXCEEDED");
        assertThat(refused.get("status").asInt()).isEqualTo(429);
        assertThat(refused.get("retryAfterMillis").asLong()).isBetween(700_000L, 720_000L);
        assertThat(refused.at("/headers/Retry-After").asText()).isEqualTo("720");
        assertThat(refused.at("/headers/RateLimit-Policy").asText()).isEqualTo("\"everyone\";q=5;w=3600");
        assertThat(refused.at("/limits/0/rule").asText()).isEqualTo("everyone");
        assertThat(refused.at("/limits/0/period").asText()).isEqualTo("PT1H");
        assertThat(refused.at("/limits/0/algorithm").asText()).isEqualTo("token-bucket");
        assertThat(refused.get("deciding").asInt()).isZero();
        assertThat(daemon.decide("{\"path\":\"/api/orders\",\"user\":\"bob\"}")
                        .get("allowed")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void aRequestThatNoRuleLimitsPassesAndHasNothingToSettle() throws Exception {
        JsonNode passes = daemon.decide("{\"settle\":true}");

        assertThat(passes.get("allowed").asBoolean()).isTrue();
        assertThat(passes.get("reason").asText()).isEqualTo("NO_LIMIT");
        assertThat(passes.get("limits")).isEmpty();
        assertThat(passes.get("deciding").isNull()).isTrue();
        assertThat(passes.get("headers")).isEmpty();
        assertThat(passes.has("receipt")).isFalse();
    }

    @Test
    void anOperationMayCostSeveralTokens() throws Exception {
        JsonNode passes = daemon.decide("{\"operation\":\"export\",\"cost\":7,\"ip\":\"192.0.2.1\"}");

        assertThat(passes.get("limits"))
                .extracting(limit -> limit.get("policy").asText() + " "
                        + limit.get("remaining").asLong())
                .containsExactly("exports:1h 3", "exports:1d 93");
        assertThat(daemon.decide("{\"operation\":\"export\",\"cost\":11,\"ip\":\"192.0.2.1\"}")
                        .get("retryAfterMillis")
                        .isNull())
                .isTrue();
    }

    @Test
    void headersCookiesAndAttributesTellClientsApart() throws Exception {
        String one = "{\"path\":\"/keys\",\"headers\":{\"x-api-key\":\"k\"},\"cookies\":{\"sid\":\"1\"},"
                + "\"attributes\":{\"tier\":\"gold\"}}";

        assertThat(daemon.decide(one).get("allowed").asBoolean()).isTrue();
        assertThat(daemon.decide(one).get("allowed").asBoolean()).isFalse();
        assertThat(daemon.decide(one.replace("gold", "lead")).get("allowed").asBoolean())
                .isTrue();
        assertThat(daemon.decide(one.replace("\"k\"", "[\"l\"]")).get("allowed").asBoolean())
                .isTrue();
    }

    @Test
    void aLookTellsWhatWouldBeDecidedAndChargesNothing() throws Exception {
        String look = "{\"path\":\"/api/orders\",\"user\":\"dave\",\"cost\":5,\"look\":true}";

        assertThat(daemon.decide(look).get("allowed").asBoolean()).isTrue();
        assertThat(daemon.decide(look).at("/limits/0/remaining").asLong()).isEqualTo(5);
        daemon.decide("{\"path\":\"/api/orders\",\"user\":\"dave\"}");
        JsonNode refused = daemon.decide(look);
        assertThat(refused.get("allowed").asBoolean()).isFalse();
        assertThat(refused.at("/limits/0/remaining").asLong()).isEqualTo(4);
    }

    @Test
    void aBatchIsAnsweredInOrderEachRequestByItself() throws Exception {
        JsonNode decisions = daemon.decide("""
                {"requests":[
                  {"path":"/api/orders","user":"erin","cost":5},
                  {"path":"/api/orders","user":"erin"},
                  {"path":"/elsewhere"},
                  {"path":"/api/orders","user":"frank"}]}
                """);

        assertThat(decisions.get("decisions"))
                .extracting(decision -> decision.get("allowed").asBoolean())
                .containsExactly(true, false, true, true);
    }

    @Test
    void aShadowRefusalIsToldBesideADecisionThatPasses() throws Exception {
        daemon.decide("{\"path\":\"/careful\",\"user\":\"alice\"}");

        JsonNode passes = daemon.decide("{\"path\":\"/careful\",\"user\":\"alice\"}");

        assertThat(passes.get("allowed").asBoolean()).isTrue();
        assertThat(passes.at("/shadowRefusals/0/rule").asText()).isEqualTo("careful");
    }

    @Test
    void changedRulesAreInForceWithoutARestart(@TempDir Path other) throws Exception {
        try (RunningDaemon changed = RunningDaemon.start(other, RULES)) {
            Files.writeString(other.resolve("rules.yaml"), RULES.replace("5/h", "2/h"));

            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> changed.decide("{\"path\":\"/api/orders\",\"user\":\"carol\",\"look\":true}")
                                    .at("/limits/0/capacity")
                                    .asLong()
                            == 2);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"usr\":\"alice\"} | there is no field 'usr'; did you mean 'user'?",
                "{\"user\":1} | 'user' has a value of the wrong kind: it must be a text",
                "{\"cost\":\"3\"} | 'cost' has a value of the wrong kind: it must be a whole number",
                "{\"cost\":1.5} | 'cost' has a value of the wrong kind",
                "{\"cost\":-1} | 'cost' has a value that is not valid: it must be a whole number of tokens, 0 or more",
                "{\"cost\":9223372036854775808} | 'cost' has a value of the wrong kind",
                "{\"ip\":\"example.org\"} | 'ip' has a value that is not valid: it must be an address",
                "{\"headers\":{\"a\":null}} | 'headers' has a value that is not valid",
                "{\"headers\":{\"a\":[null]}} | 'headers' has a value that is not valid",
                "{\"headers\":\"a\"} | 'headers' has a value of the wrong kind: it must be an object",
                "{\"cookies\":{\"a\":null}} | 'cookies' has a value that is not valid",
                "{\"attributes\":{\"a\":{}}} | 'attributes' has a value that is not valid",
                "{\"user\":\"a\",\"user\":\"b\"} | Duplicate field",
                "{\"user\":\"a\"} x | the body is not the JSON that is wanted",
                "[] | the body must be a JSON object",
                "`` | the body must be a JSON object",
                "{\"requests\":[]} | 'requests' must be a list of 1 to 100 objects",
                "{\"requests\":[1]} | requests[0] is no object",
                "{\"requests\":[{},{\"look\":1}]} | requests[1]: the body is not the JSON that is wanted: the field 'look' has a value of the"
                        + " wrong kind: it must be true or false",
                "{\"requests\":[{}],\"user\":\"a\"} | and the only field",
            })
    void aQuestionThatIsNoneIsRefusedWithWhatWouldBeRight(String body, String why) throws Exception {
        HttpResponse<String> refused = daemon.post("/v1/decide", body);

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(refused.body()).contains(why).doesNotContain("io.ratelimit");
    }

    @Test
    void pathsAndAddressesAreReadAsTheLibraryReadsThem() throws Exception {
        assertThat(daemon.decide("{\"path\":\"api/orders\",\"ip\":\"192.0.2.9:443\",\"cost\":5}")
                        .at("/limits/0/remaining")
                        .asLong())
                .isZero();
        assertThat(daemon.decide("{\"path\":\"/api/orders\",\"ip\":\"192.0.2.9\"}")
                        .get("allowed")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void aBatchOfMoreThanAHundredIsRefused() throws Exception {
        String many = IntStream.range(0, 101).mapToObj(i -> "{}").collect(Collectors.joining(","));

        assertThat(daemon.post("/v1/decide", "{\"requests\":[" + many + "]}").statusCode())
                .isEqualTo(400);
    }

    @Test
    void theRulesInForceCanBeFollowed() throws Exception {
        HttpResponse<String> rules = daemon.get("/v1/rules");

        assertThat(rules.body()).isEqualTo(RULES);
        String tag = rules.headers().firstValue("ETag").orElseThrow();
        assertThat(daemon.get("/v1/rules", "If-None-Match", tag).statusCode()).isEqualTo(304);
    }

    @Test
    void operatorsSeeStatusExplanationsAndMeters(@TempDir Path other) throws Exception {
        try (RunningDaemon seen = RunningDaemon.start(other, RULES)) {
            seen.decide("{\"path\":\"/api/orders\",\"user\":\"alice\"}");

            assertThat(seen.get("/health").statusCode()).isEqualTo(200);
            assertThat(seen.get("/ready").statusCode()).isEqualTo(200);
            assertThat(seen.get("/v1/status").body()).contains("\"service\":\"shop\"");
            assertThat(seen.get("/v1/explain?request=GET%20/api/orders%20user=alice")
                            .body())
                    .contains("within all limits");
            assertThat(seen.get("/metrics").body())
                    .contains("ratelimit_decisions_total{outcome=\"allowed\",rule=\"everyone\"} 1.0")
                    .contains("ratelimit_daemon_requests_seconds_count{path=\"/v1/decide\",status=\"2xx\"} 1");
        }
    }

    @Test
    void aPathThatIsNotThereSaysWhichAre() throws Exception {
        assertThat(daemon.get("/v2/decide").statusCode()).isEqualTo(404);
        assertThat(daemon.get("/v2/decide").body()).contains("/v1/decide");
        HttpResponse<String> wrong = daemon.get("/v1/decide");
        assertThat(wrong.statusCode()).isEqualTo(405);
        assertThat(wrong.headers().firstValue("Allow")).hasValue("POST");
    }
}
