package io.ratelimit.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.ratelimit.Decision.Reason;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class LocalLimitsTest {

    private static final String RULES = """
            service: orders
            rules:
              - { name: alone, match: { path: /api/alone }, key: user, limits: 3/h }
              - { name: open, match: { path: /api/open }, key: user, limits: 3/h, onFailure: open }
              - { name: closed, match: { path: /api/closed }, key: user, limits: 3/h, onFailure: closed }
              - name: slots
                match: { path: /api/slots }
                key: user
                limits: { tokens: 1, algorithm: concurrency }
                sharing: host
                onExceeded: { status: 503 }
            """;

    @TempDir
    Path directory;

    private StubDaemon daemon;
    private final Logger root = (Logger) LoggerFactory.getLogger("io.ratelimit");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void start() throws IOException {
        daemon = new StubDaemon();
        daemon.rules = RULES;
        log.start();
        root.addAppender(log);
    }

    @AfterEach
    void stop() {
        root.detachAppender(log);
        daemon.close();
    }

    private RemoteRateLimiter limiter(int mostClients) {
        return RemoteRateLimiter.of(daemon.address())
                .token("t1")
                .localLimits(directory.resolve("rules.lastgood"), mostClients)
                .build();
    }

    private int allowed(RemoteRateLimiter limiter, String path) {
        int allowed = 0;
        for (int i = 0; i < 10; i++) {
            allowed += limiter.decide(Requests.of("GET", path, "alice")).allowed() ? 1 : 0;
        }
        return allowed;
    }

    @Test
    void eachRuleSaysWhatHappensWhileNoDaemonDecides() {
        try (RemoteRateLimiter limiter = limiter(1_000)) {
            daemon.decision = "{\"allowed\":false,\"reason\":\"LIMIT_EXCEEDED\"}";
            assertThat(limiter.decide(Requests.of("GET", "/api/open", "alice")).allowed())
                    .isFalse();
            daemon.close();

            assertThat(allowed(limiter, "/api/alone")).isEqualTo(3);
            assertThat(allowed(limiter, "/api/open")).isEqualTo(10);
            assertThat(allowed(limiter, "/api/closed")).isZero();
            assertThat(allowed(limiter, "/api/other")).isEqualTo(10);
        }
    }

    @Test
    void aRefusalSaysWhatTheClientIsToBeTold() {
        try (RemoteRateLimiter limiter = limiter(1_000)) {
            daemon.close();
            allowed(limiter, "/api/alone");

            RemoteDecision refused = limiter.decide(Requests.of("GET", "/api/alone", "alice"));
            assertThat(refused.allowed()).isFalse();
            assertThat(refused.reason()).isEqualTo(Reason.FAILURE);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.decidingRule().name()).isEqualTo("alone");
            assertThat(refused.headers()).containsOnlyKeys("Retry-After");
            assertThat(Long.parseLong(refused.headers().get("Retry-After"))).isBetween(1_100L, 1_200L);
        }
    }

    @Test
    void requestsUnderWayAreCountedHereToo() {
        try (RemoteRateLimiter limiter = limiter(1_000)) {
            daemon.close();

            RemoteDecision first = limiter.decide(Requests.of("GET", "/api/slots", "alice"));
            assertThat(first.mustBeSettled()).isTrue();
            assertThat(allowed(limiter, "/api/slots")).isZero();
            first.settlement().complete(200);
            assertThat(limiter.look(Requests.of("GET", "/api/slots", "alice")).allowed())
                    .isTrue();
            assertThat(limiter.decide(Requests.of("GET", "/api/slots", "alice")).allowed())
                    .isTrue();
        }
    }

    @Test
    void aLookChargesNothing() {
        try (RemoteRateLimiter limiter = limiter(1_000)) {
            daemon.close();
            for (int i = 0; i < 10; i++) {
                assertThat(limiter.look(Requests.of("GET", "/api/alone", "alice"))
                                .allowed())
                        .isTrue();
            }

            assertThat(allowed(limiter, "/api/alone")).isEqualTo(3);
            assertThat(limiter.look(Requests.of("GET", "/api/alone", "alice")).allowed())
                    .isFalse();
        }
    }

    @Test
    void followsTheDaemonsRulesWithItsToken() {
        try (RemoteRateLimiter limiter = RemoteRateLimiter.of(daemon.address())
                .token("t1")
                .localLimits(new LocalSettings(directory.resolve("rules.lastgood"), 1_000, Duration.ofMillis(50)))
                .build()) {
            daemon.rules = RULES.replace("limits: 3/h }", "limits: 5/h }");
            int asked = daemon.asked("/v1/rules").size();
            await().atMost(20, TimeUnit.SECONDS)
                    .until(() -> daemon.asked("/v1/rules").size() > asked);
            daemon.close();

            await().untilAsserted(() -> assertThat(limiter.look(Requests.of("GET", "/api/alone", "bob"))
                            .limits())
                    .allSatisfy(limit -> assertThat(limit.remaining()).isEqualTo(5)));
            assertThat(daemon.asked("/v1/rules"))
                    .allSatisfy(request -> assertThat(request.authorization()).isEqualTo("Bearer t1"))
                    .last()
                    .satisfies(request -> assertThat(request.etag()).isNotNull());
        }
    }

    @Test
    void startsWithTheLastGoodRulesWhereNoDaemonIsThere() {
        limiter(1_000).close();
        daemon.close();

        try (RemoteRateLimiter limiter = limiter(1_000)) {
            assertThat(allowed(limiter, "/api/alone")).isEqualTo(3);
        }
    }

    @Test
    void everythingPassesWhereThereHaveNeverBeenRules() {
        daemon.close();
        try (RemoteRateLimiter limiter = limiter(1_000)) {
            assertThat(allowed(limiter, "/api/closed")).isEqualTo(10);
            assertThat(limiter.decide(Requests.get("/")).reason()).isEqualTo(Reason.FAILURE);
        }
    }

    @Test
    void aDaemonThatIsAwayFillsNoLog() {
        try (RemoteRateLimiter limiter = limiter(1_000)) {
            daemon.close();
            for (int i = 0; i < 10_000; i++) {
                limiter.decide(Requests.of("GET", "/api/alone", "user-" + i % 100));
            }

            assertThat(log.list.stream().filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN)))
                    .hasSizeLessThan(10);
        }
    }

    @Test
    void noMoreClientsAreKnownThanThereIsRoomFor() {
        try (RemoteRateLimiter limiter = limiter(1_000)) {
            daemon.close();
            for (int times = 0; times < 3; times++) {
                next = 0;
                assertThat(passes(limiter, 4_000)).isEqualTo(4_000);
            }
            next = 0;
            assertThat(4_000 - passes(limiter, 4_000)).isBetween(800, 1_200);
        }
    }

    /** All a million clients are others than before. */
    @Test
    @Tag("cluster")
    void theHeapStaysFlatWithAMillionClients() throws Exception {
        try (RemoteRateLimiter limiter = limiter(1_000_000)) {
            daemon.close();
            passes(limiter, 1_000_000);
            long full = usedAfterCollection();
            for (int round = 0; round < 3; round++) {
                passes(limiter, 1_000_000);
            }
            long later = usedAfterCollection();

            System.out.printf("heap with 1,000,000 clients: %,d bytes, later %,d bytes%n", full, later);
            assertThat(later - full).isLessThan(8L << 20);
            assertThat(full).isLessThan(128L << 20);
        }
    }

    /** One request of each of so many clients. */
    private int passes(RemoteRateLimiter limiter, int clients) {
        int allowed = 0;
        for (int i = 0; i < clients; i++) {
            allowed += limiter.decide(Requests.of("GET", "/api/alone", "user-" + next++))
                            .allowed()
                    ? 1
                    : 0;
        }
        return allowed;
    }

    private int next;

    private static long usedAfterCollection() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(100);
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    void withoutADaemonADecisionTakesNoTime() {
        try (RemoteRateLimiter limiter = limiter(10_000)) {
            daemon.close();
            passes(limiter, 5_000);
            long start = System.nanoTime();
            passes(limiter, 5_000);

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ratelimit-core", "jetty"})
    void whatNeedsALibraryThatIsNotThereSaysWhich(String library) throws Exception {
        URL[] classPath = Arrays.stream(System.getProperty("java.class.path").split(":"))
                .filter(entry -> !entry.contains(library))
                .map(entry -> {
                    try {
                        return Path.of(entry).toUri().toURL();
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                })
                .toArray(URL[]::new);
        assertThat(Files.exists(directory)).isTrue();
        try (URLClassLoader loader = new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
            Class<?> probe = loader.loadClass(WithoutLibraries.class.getName());
            Method asks = probe.getDeclaredMethod("decides", String.class);
            asks.setAccessible(true);
            assertThat(asks.invoke(null, daemon.address())).isEqualTo(true);

            Method fails = probe.getDeclaredMethod(library.equals("jetty") ? "unix" : "localLimits");
            fails.setAccessible(true);
            assertThatThrownBy(() -> fails.invoke(null))
                    .isInstanceOf(InvocationTargetException.class)
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(library)
                    .hasMessageContaining("on the class path");
        }
    }

    /** What is run by classes of a smaller class path. */
    static final class WithoutLibraries {

        private WithoutLibraries() {}

        static boolean decides(String address) {
            try (RemoteRateLimiter limiter = RemoteRateLimiter.of(address)
                    .deadline(Duration.ofSeconds(10))
                    .build()) {
                return limiter.decide(Requests.get("/")).reason() == Reason.NO_LIMIT;
            }
        }

        static void unix() {
            RemoteRateLimiter.of("unix:/run/nothing.sock").build();
        }

        static void localLimits() {
            RemoteRateLimiter.of("http://127.0.0.1:1").localLimits().build();
        }
    }
}
