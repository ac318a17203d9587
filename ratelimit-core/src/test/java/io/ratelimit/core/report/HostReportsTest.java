package io.ratelimit.core.report;

import static io.ratelimit.core.TestRequest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.ratelimit.Decision;
import io.ratelimit.RequestContext;
import io.ratelimit.TimeSource;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.RateLimitEngineBuilder;
import io.ratelimit.core.RulesText;
import io.ratelimit.core.bucket.ForwardingBucketStore;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.SpendOutcome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Engines that have their rules from a service, and report to it. */
@Timeout(60)
class HostReportsTest {

    private static final String RULES = """
            service: orders
            clients: [user, "header:X-Api-Key", ip]
            rules:
              - { name: all, limits: [3/h] }
              - { name: logins, match: { path: /login }, limits: [9/h], charge: { when: response, status: [401] } }
              - { name: exports, match: { operation: export }, limits: [9/h] }
            """;

    @TempDir
    private Path directory;

    private ReportedService service;
    private @Nullable RateLimitEngine engine;

    @BeforeEach
    void begin() throws IOException {
        service = new ReportedService(0, RULES);
    }

    @AfterEach
    void end() {
        if (engine != null) {
            engine.close();
        }
        service.close();
    }

    private RateLimitEngineBuilder builder() {
        return RateLimitEngine.builder()
                .rules(service.url())
                .setting("rulesToken", "t0ken")
                .setting("hostName", "app-3")
                .setting("push", "false")
                .setting("pollInterval", "50ms")
                .setting("logRefusals", "0")
                .setting("lastGoodFile", directory.resolve("lastgood").toString());
    }

    private RateLimitEngine started(RateLimitEngineBuilder builder) {
        engine = builder.build();
        engine.start();
        return engine;
    }

    /** All that was told once the host has reported from a next version. */
    private List<JsonNode> told() {
        service.publish();
        String tag = service.tag();
        await().until(() -> service.reports.stream()
                .anyMatch(report -> report.json().get("tag").asText().equals(tag)));
        return service.reports.stream().map(ReportedService.Sent::json).toList();
    }

    private static long sum(List<JsonNode> reports, String rule, String outcome) {
        return reports.stream()
                .flatMap(report -> report.get("rules").valueStream())
                .filter(counts -> counts.get("rule").asText().equals(rule))
                .mapToLong(counts -> counts.get(outcome).asLong())
                .sum();
    }

    private static List<JsonNode> requests(List<JsonNode> reports) {
        return reports.stream()
                .flatMap(report -> report.get("requests").valueStream())
                .toList();
    }

    @Test
    void aHostReportsAtItsStartAndWheneverOtherRulesAreInForce() {
        started(builder());
        await().atMost(2, TimeUnit.SECONDS).until(() -> !service.reports.isEmpty());
        ReportedService.Sent first = service.reports.get(0);
        assertThat(first.headers().getFirst("Authorization")).isEqualTo("Bearer t0ken");
        assertThat(first.headers().getFirst("Content-Type")).isEqualTo("application/json");
        assertThat(first.json().get("host").asText())
                .startsWith("app-3/")
                .isEqualTo(first.headers().getFirst("RateLimit-Host"));
        assertThat(first.json().get("tag").asText()).isEqualTo("\"17-3fb2c1d0\"");

        service.publish();
        await().atMost(2, TimeUnit.SECONDS)
                .until(() -> service.reports.stream()
                        .anyMatch(report -> report.json().get("tag").asText().equals("\"18-3fb2c1d0\"")));
    }

    @Test
    void rulesThatAreRefusedAreReportedWithWhatIsWrong() {
        started(builder());
        service.rules = "service: orders\nrules: [{ name: all, limits: [much] }]\n";
        service.publish();
        await().atMost(3, TimeUnit.SECONDS)
                .until(() -> service.reports.stream()
                        .anyMatch(report -> report.json().get("error").asText().contains("much")));
        JsonNode last = service.reports.get(service.reports.size() - 1).json();
        assertThat(last.get("tag").asText()).isEqualTo("\"17-3fb2c1d0\"");
    }

    @Test
    void eachDecisionIsToldOnceAndNoSecretLeavesTheHost() {
        RateLimitEngine host = started(builder().setting("reports", "true"));
        for (int i = 0; i < 5; i++) {
            host.limiter().decide(get("/orders").user("alice"));
            host.limiter().allowRequest(get("/orders").header("X-Api-Key", "s3cret-key"));
        }
        List<JsonNode> told = told();

        assertThat(sum(told, "all", "allowed")).isEqualTo(6);
        assertThat(sum(told, "all", "refused")).isEqualTo(4);
        assertThat(requests(told)).hasSize(10);
        assertThat(requests(told)).filteredOn(request -> request.has("refused")).hasSize(4);
        assertThat(service.reports)
                .noneMatch(report ->
                        report.text().contains("s3cret") || report.text().contains("t0ken"));
        assertThat(told.toString()).contains("user=alice");
    }

    @Test
    void twoHostsHashAlike() throws IOException {
        RateLimitEngine here = started(builder());
        try (ReportedService other = new ReportedService(0, RULES);
                RateLimitEngine there = builder().rules(other.url()).build()) {
            there.start();
            Stream.of(here, there).forEach(host -> host.limiter().decide(get("/").header("X-Api-Key", "k")));
            other.publish();
            String hashHere = requests(told()).get(0).at("/headers/x-api-key/0").asText();
            await().until(() ->
                    other.reports.stream().anyMatch(report -> report.text().contains(hashHere)));
            assertThat(hashHere).matches("#[0-9a-f]{16}");
        }
    }

    @Test
    void countsAloneHoldNothingOfAnyClient() {
        RateLimitEngine host = started(builder().setting("reports", "counts"));
        for (int i = 0; i < 5; i++) {
            host.limiter().decide(get("/orders").user("alice"));
        }
        List<JsonNode> told = told();
        assertThat(sum(told, "all", "refused")).isEqualTo(2);
        assertThat(requests(told)).isEmpty();
        assertThat(told).allMatch(report -> report.get("share").asDouble() == 0);
        assertThat(service.reports)
                .noneMatch(report ->
                        report.text().contains("alice") || report.text().contains("192.0.2"));
    }

    @Test
    void nothingIsReportedWhereReportsAreSwitchedOff() {
        RateLimitEngine host = started(builder().setting("reports", "false"));
        service.publish();
        await().until(() -> "18".equals(host.rulesStatus().versionName()));
        assertThat(threads()).isEmpty();
        assertThat(service.reports).isEmpty();
    }

    @Test
    void anotherValueOfTheSettingIsAnError() {
        assertThatThrownBy(() -> builder().setting("reports", "some").build())
                .hasMessage("setting reports is 'some': it must be true, counts or false");
    }

    @Test
    void anEngineWithoutARulesServiceHasNoReports() {
        started(RateLimitEngine.builder().rules(new RulesText(RULES)));
        assertThat(threads()).isEmpty();
    }

    @Test
    void aLinkToAnotherOriginIsNotFollowedAndTheTokenNotSentThere() throws IOException {
        try (ReportedService elsewhere = new ReportedService(0, RULES)) {
            service.link = "<http://127.0.0.1:" + elsewhere.port() + "/reports>; rel=\"reports\"";
            RateLimitEngine host = started(builder());
            service.publish();
            await().until(() -> "18".equals(host.rulesStatus().versionName()));
            host.close();
            assertThat(elsewhere.reports).isEmpty();
        }
    }

    @Test
    void aLinkThatComesLaterIsFollowed() {
        service.link = null;
        RateLimitEngine host = started(builder());
        host.limiter().decide(get("/before").user("alice"));
        service.link = "</reports>; rel=\"reports\"";
        List<JsonNode> told = told();
        assertThat(requests(told)).isEmpty();

        host.limiter().decide(get("/after").user("alice"));
        assertThat(requests(told()))
                .singleElement()
                .satisfies(request -> assertThat(request.get("path").asText()).isEqualTo("/after"));
    }

    @Test
    void whatIsSettledByTheResponseIsToldWithItsStatus() {
        RateLimitEngine host = started(builder());
        Decision login = host.limiter().decide(get("/login").user("alice"));
        assertThat(login.mustBeSettled()).isTrue();
        assertThat(requests(told())).isEmpty();

        login.settlement().complete(401);
        assertThat(requests(told())).singleElement().satisfies(request -> {
            assertThat(request.get("status").asInt()).isEqualTo(401);
            assertThat(request.get("millis").asLong()).isGreaterThanOrEqualTo(0);
        });
    }

    @Test
    void aRequestThatIsDecidedAgainIsToldOnceAndWithItsOperation() {
        RateLimitEngine host = started(builder());
        Decision limited = host.limiter().decide(get("/a").user("alice"));
        host.limiter().extend(limited, get("/a").user("alice").operation("export"));
        assertThat(requests(told()))
                .singleElement()
                .satisfies(
                        request -> assertThat(request.get("operation").asText()).isEqualTo("export"));
    }

    @Test
    void aRequestWithoutALimitThatIsDecidedAgainIsToldOnceToo() {
        service.rules = RULES.replace("- { name: all, limits: [3/h] }", "");
        RateLimitEngine host = started(builder());
        for (int i = 0; i < 2; i++) {
            Decision free = host.limiter().decide(get("/b" + i).user("alice"));
            assertThat(free.reason()).isEqualTo(Decision.Reason.NO_LIMIT);
            host.limiter().extend(free, get("/b" + i).user("alice").operation("export"));
        }
        host.limiter().refund(host.limiter().decide(get("/exempt").user("alice")));
        assertThat(requests(told()).stream()
                        .map(request -> request.get("operation").asText()))
                .containsExactly("export", "export");
    }

    @Test
    void aRequestIsReadOnItsOwnThreadThoughItsStoreAnswersOnAnother() {
        RateLimitEngine host = started(builder().store(new LateStore()));
        OfOneThread request = new OfOneThread();
        Decision decision =
                host.limiter().decideAsync(request).toCompletableFuture().join();
        request.over = true;
        assertThat(decision.allowed()).isTrue();
        assertThat(requests(told()))
                .singleElement()
                .satisfies(told -> assertThat(told.get("user").asText()).isEqualTo("alice"));
    }

    @Test
    void aServiceThatIsGoneAndComesBackIsReportedToAgain() throws IOException {
        RateLimitEngine host = started(builder());
        await().until(() -> !service.reports.isEmpty());
        int port = service.port();
        service.close();
        await().until(() -> host.rulesStatus().failures() > 1);

        service = new ReportedService(port, RULES);
        service.publish();
        await().atMost(20, TimeUnit.SECONDS).until(() -> !service.reports.isEmpty());
    }

    @Test
    void aServiceThatTakesItsTimeHoldsUpNeitherDecisionsNorRules() {
        service.answersAfterMillis = 3_000;
        RateLimitEngine host = started(builder());
        await().until(() -> !service.reports.isEmpty());
        service.publish();
        await().atMost(2, TimeUnit.SECONDS)
                .until(() -> "18".equals(host.rulesStatus().versionName()));
        assertThat(host.limiter().decide(get("/")).allowed()).isTrue();
        assertThat(service.reports).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 4_000})
    void closingSendsNothingMoreAndLeavesNoThread(long answersAfterMillis) {
        service.answersAfterMillis = answersAfterMillis;
        RateLimitEngine host = started(builder());
        await().until(() -> !service.reports.isEmpty());
        host.limiter().decide(get("/"));
        long begin = System.nanoTime();
        host.close();

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(1));
        assertThat(threads()).isEmpty();
        assertThat(service.reports).hasSize(1);
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("ratelimit-rules-reports"))
                .toList();
    }

    /** Answers on a thread of its own. */
    private static final class LateStore extends ForwardingBucketStore {

        private final BucketStore store;

        LateStore() {
            this(new LocalBucketStore(TimeSource.system(), 100));
        }

        private LateStore(BucketStore store) {
            super(store);
            this.store = store;
        }

        @Override
        public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
            CompletableFuture<SpendOutcome> late = new CompletableFuture<>();
            CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS)
                    .execute(() -> store.spend(charges, timeout).thenAccept(late::complete));
            return late;
        }
    }

    /** May be read by the thread that made it, and no more once it is over. */
    private static final class OfOneThread implements RequestContext {

        private final Thread owner = Thread.currentThread();
        private final RequestContext request = get("/").user("alice");
        private volatile boolean over;

        private RequestContext request() {
            if (over || Thread.currentThread() != owner) {
                throw new IllegalStateException("another thread's request");
            }
            return request;
        }

        @Override
        public String method() {
            return request().method();
        }

        @Override
        public String path() {
            return request().path();
        }

        @Override
        public @Nullable String peerAddress() {
            return request().peerAddress();
        }

        @Override
        public @Nullable String user() {
            return request().user();
        }

        @Override
        public List<String> headers(String name) {
            return request().headers(name);
        }

        @Override
        public @Nullable String cookie(String name) {
            return request().cookie(name);
        }

        @Override
        public @Nullable Object attribute(String name) {
            return request().attribute(name);
        }
    }
}
