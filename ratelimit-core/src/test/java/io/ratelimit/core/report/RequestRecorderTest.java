package io.ratelimit.core.report;

import static io.ratelimit.core.TestRequest.get;
import static io.ratelimit.core.TestRequest.request;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ratelimit.Decision;
import io.ratelimit.RateLimitListener;
import io.ratelimit.RequestContext;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.RulesText;
import io.ratelimit.core.TestRequest;
import io.ratelimit.core.match.RulesCache;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.RulesException;
import io.ratelimit.rules.StorePolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RequestRecorderTest {

    private static final String BY_USER = """
            service: orders
            clients: [user]
            rules: [{ name: all, limits: [10/s] }]
            """;

    private static final String LOOKING = """
            service: orders
            clients: ["header:X-Api-Key", ip]
            costs: [{ path: /reports, cost: 5 }]
            rules:
              - { name: all, limits: [10/s], overrides: [{ when: { attributes: { tier: gold } }, unlimited: true }] }
              - { name: tenants, key: [bearer, "cookie:sid", "attribute:tenant"], limits: [10/s] }
            """;

    private final ManualTimeSource time = new ManualTimeSource();

    private RequestRecorder recorder(String rules) {
        return recorder(rules, "secret");
    }

    private RequestRecorder recorder(String rules, @Nullable String secret) {
        RulesCache cache = new RulesCache(StorePolicy.UNSET, new RateLimitListener() {});
        cache.replace(parsed(rules));
        RequestRecorder recorder = new RequestRecorder(cache::current, secret, time);
        recorder.want(true);
        return recorder;
    }

    private static RuleSet parsed(String rules) {
        try {
            return new RulesParser().parse(new RulesText(rules).retrieve(null).orElseThrow());
        } catch (RulesException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static void decide(RequestRecorder recorder, RequestContext context, Decision decision) {
        RecordedRequest seen = recorder.look(context, decision);
        if (seen != null) {
            recorder.record(seen, decision);
        }
    }

    private static List<JsonNode> next(RequestRecorder recorder) {
        return new ToldRequests(recorder.next()).requests();
    }

    private static JsonNode only(RequestRecorder recorder) {
        List<JsonNode> requests = next(recorder);
        assertThat(requests).hasSize(1);
        return requests.get(0);
    }

    @Test
    void whatTheRulesLookAtIsToldAndNothingElse() {
        RequestRecorder recorder = recorder(LOOKING);
        RequestContext request = request("POST", "/orders")
                .operation("order")
                .user("alice")
                .header("x-api-key", "s3cret")
                .header("X-Api-Key", "s3cret")
                .header("Authorization", "Bearer t0ken")
                .header("User-Agent", "curl")
                .attribute("tier", "gold")
                .query("q=private");
        decide(recorder, request, Decided.refuses());

        JsonNode told = only(recorder);
        assertThat(told.propertyStream().map(Map.Entry::getKey))
                .containsExactly("at", "method", "path", "operation", "ip", "headers", "attributes", "refused");
        assertThat(told.get("at").asLong()).isEqualTo(time.currentTimeMillis());
        assertThat(told.get("method").asText()).isEqualTo("POST");
        assertThat(told.get("path").asText()).isEqualTo("/orders");
        assertThat(told.get("operation").asText()).isEqualTo("order");
        assertThat(told.get("ip").asText()).isEqualTo("192.0.2.1");
        assertThat(told.get("headers").propertyStream().map(Map.Entry::getKey))
                .containsExactlyInAnyOrder("x-api-key", "authorization");
        assertThat(told.at("/headers/x-api-key/0").asText()).matches("#[0-9a-f]{16}");
        assertThat(told.at("/headers/authorization/0").asText()).matches("#[0-9a-f]{16}");
        assertThat(told.at("/attributes/tier").asText()).isEqualTo("gold");
    }

    @Test
    void anAttributeThatIsAKeyOnlyIsHashed() {
        RequestRecorder recorder = recorder(LOOKING);
        decide(recorder, get("/").attribute("tenant", "acme"), Decided.allows());
        assertThat(only(recorder).at("/attributes/tenant").asText()).matches("#[0-9a-f]{16}");
    }

    @Test
    void aCostIsToldWhereTheApplicationSaysItAndNotWhereTheRulesDo() {
        RequestRecorder recorder = recorder(LOOKING);
        decide(recorder, get("/reports").cost(7), Decided.allows());
        decide(recorder, get("/reports"), Decided.allows());
        List<JsonNode> told = next(recorder);
        assertThat(told.get(0).get("cost").asLong()).isEqualTo(7);
        assertThat(told.get(1).has("cost")).isFalse();
    }

    @Test
    void hostsHashAlikeAndNobodyElseDoes() {
        String here = hashOfKey("secret", LOOKING);
        assertThat(hashOfKey("secret", LOOKING)).isEqualTo(here);
        assertThat(hashOfKey("other", LOOKING)).isNotEqualTo(here);
        assertThat(hashOfKey(null, LOOKING)).isNotEqualTo(here);
        assertThat(hashOfKey("secret", LOOKING.replace("orders", "billing"))).isNotEqualTo(here);
    }

    private String hashOfKey(@Nullable String secret, String rules) {
        RequestRecorder recorder = recorder(rules, secret);
        decide(recorder, get("/").header("X-Api-Key", "k"), Decided.allows());
        return only(recorder).at("/headers/x-api-key/0").asText();
    }

    @Test
    void aClientIsInOrOutAsAWholeAndOnAllHostsAlike() {
        RequestRecorder here = recorder(BY_USER);
        RequestRecorder there = recorder(BY_USER);
        for (int round = 0; round < 3; round++) {
            for (int user = 0; user < 2_000; user++) {
                decide(here, get("/").user("u" + user), Decided.allows());
                decide(there, get("/").user("u" + (1_999 - user)), Decided.allows());
            }
        }

        Recording recordedHere = here.next();
        Recording recordedThere = there.next();
        assertThat(recordedHere.requests()).hasSizeBetween(100, RequestRecorder.MOST_REQUESTS);
        Map<String, Long> timesHere = times(recordedHere);
        assertThat(timesHere.values()).containsOnly(3L);
        // Half of the share is half of the same clients.
        assertThat(recordedHere.share()).isIn(0.125, 0.0625);
        Set<String> few = times(recordedHere.share() < recordedThere.share() ? recordedHere : recordedThere)
                .keySet();
        assertThat(timesHere.keySet()).containsAll(few);
        assertThat(times(recordedThere).keySet()).containsAll(few);
        // A client's place is his own: the share of the clients is about what it says.
        assertThat(timesHere.size() / 2_000.0)
                .isBetween(recordedHere.share() * 0.7, Math.min(1, recordedHere.share() * 1.3));
    }

    private static Map<String, Long> times(Recording recording) {
        return new ToldRequests(recording)
                .requests().stream()
                        .collect(Collectors.groupingBy(told -> told.get("user").asText(), Collectors.counting()));
    }

    @Test
    void oneClientWithTooManyRequestsIsLeftOutAndTheShareGrowsSlowlyBack() {
        RequestRecorder recorder = recorder(BY_USER);
        for (int i = 0; i <= RequestRecorder.MOST_REQUESTS; i++) {
            decide(recorder, get("/").user("alice"), Decided.allows());
        }
        Recording recording = recorder.next();
        assertThat(recording.requests()).isEmpty();
        double share = recording.share();
        assertThat(share).isLessThan(1);

        double grown = recorder.next().share();
        assertThat(grown).isEqualTo(Math.min(1, share * 1.25));
        for (int i = 0; i < 100; i++) {
            recorder.next();
        }
        assertThat(recorder.next().share()).isEqualTo(1);
    }

    @Test
    void aRequestThatMustBeSettledIsToldOnceItIsAnsweredOrHalfAMinuteOld() {
        RequestRecorder recorder = recorder(BY_USER);
        Decision answered = Decided.allowsForNow();
        decide(recorder, get("/answered").user("alice"), answered);
        decide(recorder, get("/hanging").user("alice"), Decided.allowsForNow());
        assertThat(next(recorder)).isEmpty();

        time.advance(Duration.ofMillis(1_234));
        recorder.answered(answered, 503);
        JsonNode told = only(recorder);
        assertThat(told.get("status").asInt()).isEqualTo(503);
        assertThat(told.get("millis").asLong()).isEqualTo(1_234);

        time.advance(Duration.ofSeconds(30));
        told = only(recorder);
        assertThat(told.get("path").asText()).isEqualTo("/hanging");
        assertThat(told.has("status")).isFalse();
        assertThat(next(recorder)).isEmpty();
    }

    @Test
    void aRequestThatAnotherDecisionStandsForIsForgotten() {
        RequestRecorder recorder = recorder(BY_USER);
        Decision first = Decided.allows();
        decide(recorder, get("/").user("alice"), first);
        recorder.forget(first);
        recorder.forget(Decided.allows());
        assertThat(next(recorder)).isEmpty();
    }

    @Test
    void aRequestThatCannotBeReadIsLeftOut() {
        RequestRecorder recorder = recorder(LOOKING);
        RequestContext throwing = new Unreadable();
        decide(recorder, throwing, Decided.allows());
        assertThat(next(recorder)).isEmpty();
    }

    @Test
    void textsAreCutAndNothingIsRecordedThatNobodyWants() {
        RequestRecorder recorder = recorder(BY_USER);
        decide(recorder, get("/" + "x".repeat(100_000)).user("alice"), Decided.allows());
        assertThat(only(recorder).get("path").asText()).hasSize(1_000);

        recorder.want(false);
        assertThat(recorder.look(get("/").user("alice"), null)).isNull();
    }

    /** Throws at what not every rule asks for. */
    private static final class Unreadable implements RequestContext {

        private final RequestContext request = TestRequest.get("/");

        @Override
        public String method() {
            return request.method();
        }

        @Override
        public String path() {
            return request.path();
        }

        @Override
        public @Nullable String peerAddress() {
            return request.peerAddress();
        }

        @Override
        public @Nullable String user() {
            return null;
        }

        @Override
        public List<String> headers(String name) {
            return List.of();
        }

        @Override
        public @Nullable String cookie(String name) {
            throw new IllegalStateException("no cookies here");
        }

        @Override
        public @Nullable Object attribute(String name) {
            return null;
        }
    }
}
