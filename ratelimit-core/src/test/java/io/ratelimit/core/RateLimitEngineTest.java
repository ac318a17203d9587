package io.ratelimit.core;

import static io.ratelimit.core.TestRequest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.sun.net.httpserver.HttpServer;
import io.ratelimit.Decision;
import io.ratelimit.rules.Condition;
import io.ratelimit.rules.Key;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.OnExceeded;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.StoreException;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateLimitEngineTest {

    private static final String THREE_AN_HOUR = """
            service: test
            rules:
              - { name: all, limits: [3/h] }
            """;

    @TempDir
    private Path directory;

    private Path rules(String text) throws IOException {
        return Files.writeString(directory.resolve("ratelimit.yaml"), text);
    }

    private static int allowed(RateLimitEngine engine, int requests) {
        int allowed = 0;
        for (int i = 0; i < requests; i++) {
            if (engine.limiter().allowRequest(get("/"))) {
                allowed++;
            }
        }
        return allowed;
    }

    private static Rule declared(String operation, long perHour) {
        return new Rule(
                operation,
                Condition.operation(operation),
                new Key.Client(),
                List.of(Limit.of(perHour, Duration.ofHours(1))),
                List.of(),
                OnExceeded.REJECT,
                StorePolicy.UNSET);
    }

    @Test
    void decidesByTheRulesOfAFile() throws IOException {
        try (RateLimitEngine engine =
                RateLimitEngine.builder().rules(rules(THREE_AN_HOUR).toString()).build()) {
            assertThat(engine.isReady()).isFalse();
            engine.start();
            assertThat(engine.isReady()).isTrue();
            assertThat(allowed(engine, 5)).isEqualTo(3);
        }
    }

    @Test
    void followsTheFileAndCarriesBudgetsOver() throws IOException {
        Path file = rules(THREE_AN_HOUR);
        try (RateLimitEngine engine = RateLimitEngine.builder()
                .rules(file.toString())
                .setting("pollInterval", "50ms")
                .build()) {
            engine.start();
            assertThat(allowed(engine, 5)).isEqualTo(3);
            rules(THREE_AN_HOUR.replace("3/h", "5/h"));
            await().until(() -> engine.rules().rules().get(0).limits().get(0).tokens() == 5);
            assertThat(allowed(engine, 5)).isEqualTo(2);
            rules("service: test\nrules: [{ name: all, limits: [0.5/h] }]\n");
            await().until(() -> engine.rulesStatus().error() != null);
            assertThat(engine.rulesStatus().error())
                    .contains("ratelimit.yaml:2", "rule 'all'", "limits")
                    .doesNotContain("\n");
            assertThat(allowed(engine, 5)).isZero();
        }
    }

    @Test
    void aHostWithoutRulesStartsOpenAndIsNotReady() {
        try (RateLimitEngine engine = RateLimitEngine.builder()
                .rules(directory.resolve("missing.yaml").toString())
                .build()) {
            engine.start();
            assertThat(engine.isReady()).isFalse();
            assertThat(allowed(engine, 100)).isEqualTo(100);
        }
    }

    @Test
    void aLimitBeyondExactArithmeticIsRefusedWithItsRuleAndItsLine() throws IOException {
        try (RateLimitEngine engine = RateLimitEngine.builder()
                .rules(rules("service: s\nrules:\n  - { name: huge, limits: [999999999999997 per 36499d] }\n")
                        .toString())
                .build()) {
            engine.start();
            assertThat(engine.rulesStatus().error()).contains("ratelimit.yaml:3", "'huge'", "beyond exact arithmetic");
        }
    }

    @Test
    void anUnknownSettingIsAnErrorThatNamesTheNearestOne() {
        assertThatThrownBy(() ->
                        RateLimitEngine.builder().setting("pollIntervall", "1s").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pollIntervall")
                .hasMessageContaining("did you mean 'pollInterval'?");
    }

    @ParameterizedTest
    @CsvSource({
        "pollInterval, soon",
        "pollInterval, 1ms",
        "pollInterval, 2d",
        "push, yes",
        "hostName, two words",
        "lastGoodFile, a\0b",
        "sharing, everywhere",
        "onFailure, panic",
        "storeTimeout, 0",
        "storeTimeout, 1h",
        "syncPeriod, often",
        "syncPeriod, 9ms",
        "syncPeriod, 2s",
        "maxClients, 0",
        "maxClients, many",
        "rules, ftp://example.org/rules"
    })
    void aSettingWithoutAValidValueIsAnErrorThatNamesIt(String name, String value) {
        assertThatThrownBy(() -> RateLimitEngine.builder().setting(name, value).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name.equals("rules") ? "ftp" : name);
    }

    @Test
    void aStoreThatDoesNotAnswerInTimeIsReplacedByThisHostsBuckets() throws IOException {
        BucketStore silent = mock(BucketStore.class);
        when(silent.spend(any(), any())).thenReturn(new CompletableFuture<>());
        try (RateLimitEngine engine = RateLimitEngine.builder()
                .rules(rules(THREE_AN_HOUR).toString())
                .setting("storeTimeout", "5ms")
                .store(silent)
                .build()) {
            engine.start();
            Decision decision = engine.limiter().decide(get("/"));
            assertThat(decision.reason()).isEqualTo(Decision.Reason.FAILURE);
            assertThat(decision.remaining()).isEqualTo(2);
            assertThat(allowed(engine, 5)).isEqualTo(2);
        }
        verify(silent).close();
    }

    @Test
    void itsHealthSaysWhatIsWrong() throws IOException {
        BucketStore failing = mock(BucketStore.class);
        when(failing.spend(any(), any())).thenThrow(new StoreException("store-error", "the member is gone"));
        Path file = directory.resolve("ratelimit.yaml");
        RateLimitEngine engine = RateLimitEngine.builder()
                .rules(file.toString())
                .setting("pollInterval", "50ms")
                .store(failing)
                .build();
        try (engine) {
            engine.start();
            assertThat(engine.health().status()).isEqualTo(Health.Status.DEGRADED);
            assertThat(engine.health().reasons()).anyMatch(reason -> reason.contains("no rules"));
            rules(THREE_AN_HOUR);
            await().until(engine::isReady);
            assertThat(engine.health()).isEqualTo(new Health(Health.Status.UP, List.of()));
            engine.limiter().allowRequest(get("/"));
            assertThat(engine.health().reasons())
                    .singleElement()
                    .asString()
                    .startsWith("The shared store fails since ")
                    .endsWith("the member is gone");
        }
        assertThat(engine.health().reasons()).contains("The limiter is closed");
    }

    @ParameterizedTest
    @CsvSource({"open, true", "closed, false"})
    void whatTheRuleSaysAnswersForAStoreThatFails(String onFailure, boolean allowed) throws IOException {
        BucketStore failing = mock(BucketStore.class);
        when(failing.spend(any(), any())).thenThrow(new StoreException("store-error", "gone"));
        try (RateLimitEngine engine = RateLimitEngine.builder()
                .rules(rules(THREE_AN_HOUR).toString())
                .setting("onFailure", onFailure)
                .store(failing)
                .build()) {
            engine.start();
            for (int i = 0; i < 5; i++) {
                assertThat(engine.limiter().allowRequest(get("/"))).isEqualTo(allowed);
            }
        }
    }

    @Test
    void aRuleOfTheFileReplacesTheOneThatTheCodeDeclaresForItsOperation() throws IOException {
        try (RateLimitEngine engine = RateLimitEngine.builder()
                .rules(rules("service: s\nrules: [{ name: x, match: { operation: export }, limits: [7/h] }]\n")
                        .toString())
                .build()) {
            engine.start();
            engine.declare(declared("export", 1));
            engine.declare(declared("import", 2));
            engine.declare(declared("import", 2));
            assertThat(engine.limiter().decide(get("/").operation("export")).remaining())
                    .isEqualTo(6);
            assertThat(engine.limiter().decide(get("/").operation("import")).remaining())
                    .isEqualTo(1);
        }
    }

    @Test
    void whatTheSettingsShowHoldsNoSecret() {
        EngineSettings settings = EngineSettings.parse(
                Map.of("rules", "https://user:s3cret@rules.example.org/?token=s3cret", "rulesToken", "s3cret"));
        assertThat(settings.toString()).contains("rulesToken=set").doesNotContain("s3cret");
    }

    @Test
    void theEnginesClocksDateRulesThatHaveNoDateToBeBelieved() throws IOException {
        Path file = rules(THREE_AN_HOUR);
        Files.setLastModifiedTime(file, FileTime.fromMillis(0));
        ManualTimeSource time = new ManualTimeSource();
        try (RateLimitEngine engine = RateLimitEngine.builder()
                .rules(file.toString())
                .timeSource(time)
                .build()) {
            engine.start();
            assertThat(engine.rules().version()).isEqualTo(time.currentTimeMillis());
        }
    }

    @Test
    void afterTheEndNobodyWaitsForAStoreThatNeverAnswers() throws Exception {
        BucketStore silent = mock(BucketStore.class);
        when(silent.spend(any(), any())).thenReturn(new CompletableFuture<>());
        RateLimitEngine engine = RateLimitEngine.builder()
                .rules(rules(THREE_AN_HOUR).toString())
                .setting("storeTimeout", "10s")
                .store(silent)
                .build();
        engine.start();
        CompletableFuture<Decision> pending =
                engine.limiter().decideAsync(get("/")).toCompletableFuture();
        engine.close();
        assertThat(pending.get(2, TimeUnit.SECONDS).allowed()).isTrue();
        assertThat(CompletableFuture.supplyAsync(() -> engine.limiter().decide(get("/")))
                        .get(2, TimeUnit.SECONDS)
                        .remaining())
                .isEqualTo(1);
        verify(silent, times(1)).spend(any(), any());
    }

    @Test
    void whatTakesLongHasAThreadOfItsOwn() throws IOException {
        try (RateLimitEngine engine =
                RateLimitEngine.builder().rules(rules(THREE_AN_HOUR).toString()).build()) {
            engine.start();
            await().until(() -> Thread.getAllStackTraces().keySet().stream()
                    .anyMatch(thread -> thread.getName().equals("ratelimit-maintenance")));
        }
    }

    @Test
    void credentialsOfAUrlStandInNoFileNameAndInNoStatus() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] body = THREE_AN_HOUR.getBytes(StandardCharsets.UTF_8);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        String host = "127.0.0.1:" + server.getAddress().getPort();
        Path kept = Path.of(System.getProperty("java.io.tmpdir"), "ratelimit-" + System.getProperty("user.name"));
        try (RateLimitEngine engine = RateLimitEngine.builder()
                .rules("http://user:s3cret@" + host + "/rules?token=t0ken")
                .build()) {
            engine.start();
            assertThat(allowed(engine, 5)).isEqualTo(3);
            server.stop(0);
            assertThat(kept.toFile().list())
                    .anyMatch(name ->
                            name.contains(Integer.toString(server.getAddress().getPort())))
                    .noneMatch(name -> name.contains("s3cret") || name.contains("t0ken"));
        } finally {
            for (File file : kept.toFile()
                    .listFiles((dir, name) ->
                            name.contains("_" + server.getAddress().getPort()))) {
                Files.delete(file.toPath());
            }
        }
    }

    @Test
    void leavesNoThreadBehind() throws IOException {
        RateLimitEngine engine =
                RateLimitEngine.builder().rules(rules(THREE_AN_HOUR).toString()).build();
        engine.start();
        engine.close();
        // A container looks at once.
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("ratelimit-"));
        assertThat(engine.isReady()).isFalse();
        assertThat(allowed(engine, 5)).isEqualTo(3);
    }
}
