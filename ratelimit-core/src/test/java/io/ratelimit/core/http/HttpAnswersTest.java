package io.ratelimit.core.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.ratelimit.Decision;
import io.ratelimit.RateLimitListener;
import io.ratelimit.RequestContext;
import io.ratelimit.core.FaultLog;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.TestRequest;
import io.ratelimit.core.TokenBucketRateLimiter;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.core.match.RulesCache;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.StorePolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpAnswersTest {

    private static final RequestContext GET = TestRequest.get("/");

    private final ManualTimeSource time = new ManualTimeSource();
    private final RateLimitListener listener = new RateLimitListener() {};
    private final RulesCache rules = new RulesCache(StorePolicy.UNSET, listener);
    private final TokenBucketRateLimiter limiter = new TokenBucketRateLimiter(
            rules, new LocalBucketStore(time, 1_000), listener, new FaultLog(HttpAnswersTest.class, time));
    private final HttpAnswers answers = new HttpAnswers(HttpSettings.DEFAULT, time);

    @BeforeEach
    void startBetweenTwoSeconds() {
        time.stepWallClock(Duration.ofMillis(700));
    }

    private void enforce(String rule) throws Exception {
        byte[] content = ("service: test\nrules:\n  - " + rule).getBytes(StandardCharsets.UTF_8);
        rules.replace(new RulesParser().parse(new RulesDocument("rules.yaml", content, "tag", 1)));
    }

    private Map<String, String> fieldsOf(Decision decision) {
        return asMap(answers.fields(decision));
    }

    private static Map<String, String> asMap(List<HeaderField> fields) {
        Map<String, String> map = new LinkedHashMap<>();
        fields.forEach(field -> assertThat(map.put(field.name(), field.value()))
                .as(field.name())
                .isNull());
        return map;
    }

    private long nowSeconds() {
        return Math.floorDiv(time.currentTimeMillis(), 1_000L);
    }

    @Test
    void anAllowedAnswerTellsEveryLimitInTheSyntaxOfTheDraft() throws Exception {
        enforce("{ name: everyone, limits: [20/s burst 40, 500/h] }");
        assertThat(fieldsOf(limiter.decide(GET)))
                .containsEntry("RateLimit-Policy", "\"everyone:1s\";q=40;w=2, \"everyone:1h\";q=500;w=3600")
                .containsEntry("RateLimit", "\"everyone:1s\";r=39;t=1, \"everyone:1h\";r=499;t=8")
                .doesNotContainKeys("Retry-After", "X-RateLimit-Retry-After");
    }

    // Room for fields

    @Test
    void ofManyLimitsTheFieldsTellTheTightest() throws Exception {
        enforce(manyRules(400, "name-of-a-rule-"));
        Map<String, String> fields = fieldsOf(limiter.decide(GET));
        List<String> tightest =
                IntStream.range(0, 16).mapToObj(i -> "name-of-a-rule-" + i).toList();
        assertThat(names(fields.get("RateLimit-Policy"))).isEqualTo(tightest);
        assertThat(names(fields.get("RateLimit"))).isEqualTo(tightest);
        assertThat(fields).containsEntry("X-RateLimit-Limit", "10");
    }

    @Test
    void ofManyLimitsARefusalTellsThoseThatRefused() throws Exception {
        enforce(manyRules(100, "r") + "\n  - { name: day, limits: [1/d] }\n  - { name: hour, limits: [1/h] }");
        exhaust(1);
        Map<String, String> fields = fieldsOf(limiter.decide(GET));
        assertThat(fields).containsEntry("RateLimit", "\"day\";r=0;t=86400, \"hour\";r=0;t=3600");
        assertThat(names(fields.get("RateLimit-Policy"))).hasSize(16).startsWith("day", "hour", "r0", "r1");
    }

    @ParameterizedTest
    @CsvSource({"60, 14", "502, 2", "503, 1", "1015, 1", "1016, 0", "4000, 0"})
    void aFieldIsNeverLongerThanItsRoom(int lengthOfName, int told) throws Exception {
        enforce(manyRules(20, "n".repeat(lengthOfName - 4) + "-").replace("/h", "/s"));
        Map<String, String> fields = fieldsOf(limiter.decide(GET));
        assertThat(names(fields.get("RateLimit-Policy"))).hasSize(told).isEqualTo(names(fields.get("RateLimit")));
        fields.forEach((name, value) -> assertThat(value.length()).as(name).isBetween(1, 1_024));
        assertThat(fields).containsEntry("X-RateLimit-Remaining", "9");
    }

    @Test
    void sixteenLimitsAreToldInTheOrderOfTheFile() throws Exception {
        enforce("{ name: wide, limits: [1000/h] }\n  - " + manyRules(15, "r"));
        assertThat(names(fieldsOf(limiter.decide(GET)).get("RateLimit")))
                .hasSize(16)
                .startsWith("wide", "r0");
    }

    @Test
    void theBodyNamesEveryLimitThatRefused() throws Exception {
        enforce(manyRules(400, "r").replaceAll("limits: \\[[0-9]+/h]", "limits: [1/h]"));
        exhaust(1);
        Refusal refusal = answers.refuse(limiter.decide(GET), GET);
        assertThat(json(refusal.body()).get("violated-policies").split(",")).hasSize(400);
    }

    /** Rules of 10, 11, 12, … requests. */
    private static String manyRules(int number, String name) {
        return IntStream.range(0, number)
                .mapToObj(i -> "{ name: " + name + i + ", limits: [" + (10 + i) + "/h] }")
                .collect(Collectors.joining("\n  - "));
    }

    /** The names in a field, each of whose items must be a string with parameters that are integers (RFC 9651). */
    private static List<String> names(@Nullable String field) {
        if (field == null) {
            return List.of();
        }
        assertThat(field.split(", ")).allMatch(item -> item.matches("\"[ -!#-~]+\"(;[a-z]=[0-9]{1,15})+"));
        return Arrays.stream(field.split(", "))
                .map(item -> item.substring(1, item.lastIndexOf('"')))
                .toList();
    }

    @Test
    void aSingleLimitIsNamedLikeItsRule() throws Exception {
        enforce("{ name: login, limits: [5/m] }");
        assertThat(fieldsOf(limiter.decide(GET)))
                .containsEntry("RateLimit-Policy", "\"login\";q=5;w=60")
                .containsEntry("RateLimit", "\"login\";r=4;t=12");
    }

    @Test
    void aFullBucketHasNoNextToken() throws Exception {
        enforce("{ name: login, limits: [5/m] }");
        assertThat(fieldsOf(limiter.decide(TestRequest.get("/").cost(0))))
                .containsEntry("RateLimit", "\"login\";r=5")
                .containsEntry("X-RateLimit-Reset", Long.toString(nowSeconds()));
    }

    @Test
    void aRequestWithoutLimitGetsNoFields() throws Exception {
        enforce("{ name: login, match: { path: /login }, limits: [5/m] }");
        assertThat(answers.fields(limiter.decide(GET))).isEmpty();
    }

    @Test
    void remainingRunsDownToZeroAndStays() throws Exception {
        enforce("{ name: r, limits: [5/s] }");
        for (String remaining : List.of("4", "3", "2", "1", "0", "0", "0")) {
            assertThat(fieldsOf(limiter.decide(GET))).containsEntry("X-RateLimit-Remaining", remaining);
        }
    }

    @Test
    void aWaitBelowASecondIsToldAsOne() throws Exception {
        enforce("{ name: r, limits: [5/s] }");
        exhaust(5);
        assertThat(fieldsOf(limiter.decide(GET)))
                .containsEntry("Retry-After", "1")
                .containsEntry("X-RateLimit-Retry-After", "1");
    }

    @Test
    void aWaitIsRoundedUpToWholeSeconds() throws Exception {
        enforce("{ name: r, limits: [1 per 10s] }");
        exhaust(1);
        time.advance(Duration.ofMillis(8_100));
        assertThat(fieldsOf(limiter.decide(GET)))
                .containsEntry("Retry-After", "2")
                .containsEntry("RateLimit", "\"r\";r=0;t=2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"5/s", "7/m", "1 per 10s", "3/h", "1000/d", "13 per 7s burst 20", "1 per 30d"})
    void whoComesBackAfterExactlyTheAdvertisedWaitPasses(String limit) throws Exception {
        enforce("{ name: r, limits: [" + limit + "] }");
        for (int round = 0; round < 200; round++) {
            Decision decision = limiter.decide(GET);
            while (decision.allowed()) {
                decision = limiter.decide(GET);
            }
            Map<String, String> fields = fieldsOf(decision);
            time.advance(Duration.ofSeconds(Long.parseLong(fields.get("Retry-After"))));
            assertThat(limiter.allowRequest(GET)).isTrue();
            assertThat(nowSeconds()).isGreaterThanOrEqualTo(Long.parseLong(fields.get("X-RateLimit-Reset")));
            time.advance(Duration.ofMillis(37L * round));
        }
    }

    @Test
    void theResetOfARefusalIsInTheFutureAndNotAfterTheWait() throws Exception {
        enforce("{ name: r, limits: [5/s] }");
        exhaust(5);
        assertThat(fieldsOf(limiter.decide(GET))).containsEntry("X-RateLimit-Reset", Long.toString(nowSeconds() + 1));
    }

    @ParameterizedTest
    @CsvSource({"EPOCH_SECONDS, 1700000012", "EPOCH_MILLIS, 1700000012700", "DELTA_SECONDS, 12"})
    void theResetIsToldInTheChosenUnit(ResetFormat format, String expected) throws Exception {
        enforce("{ name: r, limits: [5/m] }");
        HttpAnswers chosen = new HttpAnswers(new HttpSettings(false, true, format), time);
        assertThat(asMap(chosen.fields(limiter.decide(GET)))).containsEntry("X-RateLimit-Reset", expected);
    }

    @Test
    void beforeARefusalTheTightestLimitIsTold() throws Exception {
        enforce("{ name: r, limits: [60/m, 3/h] }");
        for (String remaining : List.of("2", "1", "0")) {
            assertThat(fieldsOf(limiter.decide(GET)))
                    .containsEntry("X-RateLimit-Limit", "3")
                    .containsEntry("X-RateLimit-Remaining", remaining);
        }
    }

    @Test
    void aRefusalTellsOfTheLimitThatRefused() throws Exception {
        enforce("{ name: r, limits: [60/m, 3/h] }");
        exhaust(3);
        time.advance(Duration.ofSeconds(65));
        assertThat(fieldsOf(limiter.decide(GET)))
                .containsEntry("X-RateLimit-Limit", "3")
                .containsEntry("X-RateLimit-Remaining", "0")
                .containsEntry("Retry-After", "1135")
                .containsEntry("RateLimit-Policy", "\"r:1m\";q=60;w=60, \"r:1h\";q=3;w=3600")
                .containsEntry("RateLimit", "\"r:1h\";r=0;t=1135");
    }

    @Test
    void theClientIsSentBackWhenTheSlowestOfTheRefusingLimitsAdmits() throws Exception {
        enforce("{ name: r, limits: [1/m, 1/h] }");
        exhaust(1);
        Decision refused = limiter.decide(GET);
        assertThat(fieldsOf(refused))
                .containsEntry("Retry-After", "3600")
                .containsEntry("RateLimit", "\"r:1m\";r=0;t=60, \"r:1h\";r=0;t=3600");
        assertThat(json(answers.refuse(refused, GET).body())).containsEntry("violated-policies", "r:1m,r:1h");
    }

    @Test
    void aLimitOfZeroPromisesNothing() throws Exception {
        enforce("{ name: banned, limits: \"0\" }");
        assertThat(fieldsOf(limiter.decide(GET)))
                .containsEntry("RateLimit-Policy", "\"banned\";q=0;w=1")
                .containsEntry("RateLimit", "\"banned\";r=0")
                .containsEntry("X-RateLimit-Limit", "0")
                .containsEntry("X-RateLimit-Remaining", "0")
                .doesNotContainKeys("Retry-After", "X-RateLimit-Retry-After", "X-RateLimit-Reset");
    }

    @Test
    void aCostAboveTheCapacityIsRefusedWithoutAPromise() throws Exception {
        enforce("{ name: r, limits: [10/m] }");
        Decision refused = limiter.decide(TestRequest.get("/").cost(11));
        assertThat(fieldsOf(refused))
                .containsEntry("RateLimit", "\"r\";r=10")
                .doesNotContainKeys("Retry-After", "X-RateLimit-Retry-After", "X-RateLimit-Reset");
        assertThat(json(answers.refuse(refused, GET).body()).get("detail")).contains("does not admit this request");
    }

    @Test
    void noNumberHasMoreThanTheFifteenDigitsOfAStructuredField() throws Exception {
        enforce("{ name: r, limits: [{ tokens: 1, per: 50y, burst: 2 }, { tokens: 1000000000000, per: 1s }] }");
        assertThat(fieldsOf(limiter.decide(GET)))
                .containsEntry("RateLimit-Policy", "\"r:18250d\";q=2;w=3153600000, \"r:1s\";q=1000000000000;w=1")
                .containsEntry("RateLimit", "\"r:18250d\";r=1;t=1576800000, \"r:1s\";r=999999999999;t=1");
    }

    @Test
    void aRefusalIsAProblemThatNamesTheViolatedPolicies() throws Exception {
        enforce("{ name: login, limits: [5 per 15m] }");
        exhaust(5);
        Refusal refusal = answers.refuse(limiter.decide(GET), GET);
        assertThat(refusal.status()).isEqualTo(429);
        assertThat(refusal.contentType()).isEqualTo("application/problem+json");
        assertThat(refusal.contentLength()).isEqualTo(refusal.body().length);
        assertThat(asMap(refusal.fields()))
                .containsEntry("Cache-Control", "no-store")
                .containsEntry("Retry-After", "180");
        assertThat(json(refusal.body()))
                .containsEntry("type", "https://iana.org/assignments/http-problem-types#quota-exceeded")
                .containsEntry("title", "Request cannot be satisfied as assigned quota has been exceeded")
                .containsEntry("status", "429")
                .containsEntry("detail", "Limit 'login' (5 per 15m) is exceeded; try again in 180 seconds.")
                .containsEntry("violated-policies", "login");
    }

    @Test
    void theStatusIsTheOneOfTheRule() throws Exception {
        enforce("{ name: r, limits: [1/m], onExceeded: { status: 503 } }");
        exhaust(1);
        Refusal refusal = answers.refuse(limiter.decide(GET), GET);
        assertThat(refusal.status()).isEqualTo(503);
        assertThat(json(refusal.body())).containsEntry("status", "503");
    }

    @Test
    void aRefusalByFailureIsUnavailableWithoutAPromise() throws Exception {
        Decision closed = mock(Decision.class);
        when(closed.limits()).thenReturn(List.of());
        Refusal refusal = answers.refuse(closed, GET);
        assertThat(refusal.status()).isEqualTo(503);
        assertThat(asMap(refusal.fields())).containsOnlyKeys("Cache-Control", "Content-Language");
        assertThat(json(refusal.body())).containsEntry("type", "about:blank").doesNotContainKey("violated-policies");
    }

    @Test
    void aRefusedHeadHasTheFieldsOfGetAndNoBody() throws Exception {
        enforce("{ name: r, limits: [1/m] }");
        exhaust(1);
        Refusal get = answers.refuse(limiter.decide(GET), GET);
        RequestContext headRequest = TestRequest.request("HEAD", "/");
        Refusal head = answers.refuse(limiter.decide(headRequest), headRequest);
        assertThat(head.fields()).isEqualTo(get.fields());
        assertThat(head.body()).isEmpty();
        assertThat(head.contentLength()).isEqualTo(get.body().length);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/plain | text",
                "TEXT/PLAIN | text",
                "text/* | text",
                "text/plain, application/json;q=0.9 | text",
                "text/plain;q=0.5, */*;q=0.4 | text",
                "application/problem+json;q=0, text/plain;q=0.001 | text",
                "application/*;q=0.1, text/html, text/plain;q=0.2 | text",
                "application/json | json",
                "*/* | json",
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8 | json",
                "application/json, text/plain, */* | json",
                "text/plain;q=0, */* | json",
                "application/json;q=0.9, text/plain;q=0.8 | json",
                "image/png | json",
                "'' | json",
                ";;,,q=,text/plain;q=zero;q | text",
            })
    void theBodyIsTextWhereTheClientPrefersText(String accept, String expected) throws Exception {
        enforce("{ name: r, limits: [1/m] }");
        exhaust(1);
        Refusal refusal = answers.refuse(limiter.decide(GET), accepting(accept));
        assertThat(refusal.contentType())
                .isEqualTo(expected.equals("text") ? "text/plain;charset=utf-8" : "application/problem+json");
    }

    @Test
    void anAcceptWithoutAnEndIsNotReadToIt() throws Exception {
        enforce("{ name: r, limits: [1/m] }");
        exhaust(1);
        Decision refused = limiter.decide(GET);
        assertThat(answers.refuse(refused, accepting("image/png,".repeat(63) + "text/plain"))
                        .contentType())
                .startsWith("text/plain");
        assertThat(answers.refuse(refused, accepting("image/png,".repeat(64) + "text/plain"))
                        .contentType())
                .isEqualTo("application/problem+json");
    }

    @Test
    void aTextTellsTheDetail() throws Exception {
        enforce("{ name: r, limits: [1/s] }");
        exhaust(1);
        Refusal refusal = answers.refuse(limiter.decide(GET), accepting("text/plain"));
        assertThat(new String(refusal.body(), StandardCharsets.UTF_8))
                .isEqualTo("Limit 'r' (1 per 1s) is exceeded; try again in 1 second.\n");
    }

    @Test
    void eachFamilyCanBeSwitchedOff() throws Exception {
        enforce("{ name: r, limits: [1/m] }");
        exhaust(1);
        Decision refused = limiter.decide(GET);
        assertThat(asMap(with(true, false).fields(refused)))
                .containsOnlyKeys("RateLimit-Policy", "RateLimit", "Retry-After");
        assertThat(asMap(with(false, true).fields(refused)))
                .containsOnlyKeys(
                        "X-RateLimit-Limit",
                        "X-RateLimit-Remaining",
                        "X-RateLimit-Reset",
                        "X-RateLimit-Retry-After",
                        "Retry-After");
        assertThat(asMap(with(false, false).fields(refused))).containsOnlyKeys("Retry-After");
    }

    @Test
    void theFieldNamesAreThoseOfAnAllowedAnswer() throws Exception {
        enforce("{ name: r, limits: [5/m] }");
        assertThat(fieldsOf(limiter.decide(GET)).keySet()).containsExactlyInAnyOrderElementsOf(answers.fieldNames());
    }

    private HttpAnswers with(boolean ietf, boolean xRateLimit) {
        return new HttpAnswers(new HttpSettings(ietf, xRateLimit, ResetFormat.EPOCH_SECONDS), time);
    }

    private void exhaust(int tokens) {
        for (int i = 0; i < tokens; i++) {
            assertThat(limiter.allowRequest(GET)).isTrue();
        }
    }

    private static RequestContext accepting(String accept) {
        RequestContext request = mock(RequestContext.class);
        when(request.method()).thenReturn("GET");
        when(request.headers("Accept")).thenReturn(List.of(accept));
        return request;
    }

    /** The members of a JSON object as texts, those of an array joined. */
    private static Map<String, String> json(byte[] body) throws IOException {
        Map<String, String> members = new LinkedHashMap<>();
        try (JsonParser parser = new JsonFactory().createParser(body)) {
            while (parser.nextToken() != null) {
                if (parser.currentToken().isScalarValue()) {
                    boolean inArray = parser.getParsingContext().inArray();
                    String name =
                            inArray ? parser.getParsingContext().getParent().getCurrentName() : parser.currentName();
                    members.merge(name, parser.getText(), (first, next) -> first + "," + next);
                }
                assertThat(parser.currentToken()).isNotEqualTo(JsonToken.NOT_AVAILABLE);
            }
        }
        return members;
    }
}
