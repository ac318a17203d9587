package io.ratelimit.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ratelimit.Decision.Reason;
import io.ratelimit.LimitStatus;
import io.ratelimit.client.RemoteDecision;
import io.ratelimit.client.RemoteRateLimiter;
import io.ratelimit.client.RemoteRateLimiterBuilder;
import io.ratelimit.rules.Limit;
import io.ratelimit.server.daemon.DaemonSettings.TokenFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon and its client in Java understand one another. */
class JavaClientTest {

    private static final String TOKEN = "t".repeat(30);

    private static final String RULES = """
            service: shop
            clients: [user, ip]
            rules:
              - { name: everyone, match: { path: /api/** }, limits: [5/m, 100/h] }
              - { name: keys, match: { path: /keys }, key: "header:X-Api-Key", limits: 1/h }
              - { name: slots, match: { path: /slots }, sharing: host, limits: { tokens: 1, algorithm: concurrency } }
              - { name: log-in, match: { path: /log-in }, charge: { when: response, status: [401] }, limits: 2/h }
              - name: others
                match: { path: /others }
                key: service
                sharing: host
                limits:
                  - { tokens: 9, algorithm: concurrency, adaptive: true, burst: 20 }
                  - { tokens: 100, per: 1m, algorithm: warm-up, warmUp: 10s }
                  - { tokens: 100, per: 1h, algorithm: sliding-window-counter, precision: 6 }
              - { name: tried, match: { path: /tried }, limits: 1/h, onExceeded: shadow }
              - { name: shut, match: { path: /shut }, limits: 0, onExceeded: { status: 503 } }
            """;

    private static final AtomicInteger USERS = new AtomicInteger();

    @TempDir
    private static Path directory;

    private static Path socket;
    private static RunningDaemon daemon;

    /** Whom nobody has seen. */
    private final String user = "user-" + USERS.incrementAndGet();

    @BeforeAll
    static void start() throws Exception {
        socket = directory.resolve("daemon.sock");
        daemon = start(directory);
    }

    private static RunningDaemon start(Path directory) throws Exception {
        Path tokens = Files.writeString(directory.resolve("tokens"), TOKEN + "\n");
        return RunningDaemon.startAt(
                directory, RULES, new TokenFiles(tokens, null, false), directory.resolve("daemon.sock"));
    }

    @AfterAll
    static void stop() {
        daemon.close();
    }

    private static RemoteRateLimiterBuilder client() {
        return client(daemon);
    }

    private static RemoteRateLimiterBuilder client(RunningDaemon daemon) {
        return RemoteRateLimiter.of("http://127.0.0.1:" + daemon.at("/").getPort())
                .token(TOKEN)
                .deadline(Duration.ofSeconds(2))
                .headers("X-Api-Key");
    }

    private RemoteDecision ask(RemoteRateLimiter limiter, String path) {
        return limiter.decide(new AskedRequest(path, user));
    }

    @Test
    void limitsAreKept() {
        try (RemoteRateLimiter limiter = client().build()) {
            for (int i = 0; i < 5; i++) {
                RemoteDecision passed = ask(limiter, "/api/orders");
                assertThat(passed.allowed()).isTrue();
                assertThat(passed.reason()).isEqualTo(Reason.WITHIN_LIMITS);
                assertThat(passed.remaining()).isEqualTo(4 - i);
            }
            RemoteDecision refused = ask(limiter, "/api/orders");

            assertThat(refused.allowed()).isFalse();
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.headers()).containsKeys("RateLimit-Policy", "RateLimit", "Retry-After");
            assertThat(refused.retryAfter())
                    .hasValueSatisfying(
                            wait -> assertThat(wait).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(12)));
            assertThat(refused.decidingLimit().policy()).isEqualTo("everyone:1m");
            assertThat(refused.limits())
                    .extracting(LimitStatus::limit)
                    .containsExactly(Limit.of(5, Duration.ofMinutes(1)), Limit.of(100, Duration.ofHours(1)));
            assertThat(limiter.decide(new AskedRequest("/api/orders", "bob")).allowed())
                    .isTrue();
            assertThat(ask(limiter, "/shut").status()).isEqualTo(503);
            assertThat(ask(limiter, "/nothing").reason()).isEqualTo(Reason.NO_LIMIT);
        }
    }

    @Test
    void aLookChargesNothing() {
        try (RemoteRateLimiter limiter = client().build()) {
            for (int i = 0; i < 10; i++) {
                assertThat(limiter.look(new AskedRequest("/api/orders", user)).remaining())
                        .isEqualTo(5);
            }
        }
    }

    @Test
    void rulesSeeTheHeadersThatAreNamed() {
        try (RemoteRateLimiter limiter = client().build()) {
            assertThat(limiter.decide(new AskedRequest("/keys", "a", Map.of("X-Api-Key", "k1")))
                            .allowed())
                    .isTrue();
            assertThat(limiter.decide(new AskedRequest("/keys", "b", Map.of("X-Api-Key", "k1")))
                            .allowed())
                    .isFalse();
            assertThat(limiter.decide(new AskedRequest("/keys", "b", Map.of("X-Api-Key", "k2")))
                            .allowed())
                    .isTrue();
        }
    }

    @Test
    void limitsOfEveryKindAreToldAndShadowsToo() {
        try (RemoteRateLimiter limiter = client().build()) {
            assertThat(ask(limiter, "/others").limits()).hasSize(3);
            assertThat(ask(limiter, "/tried").shadowRefusals()).isEmpty();
            assertThat(ask(limiter, "/tried").shadowRefusals())
                    .singleElement()
                    .satisfies(shadow -> assertThat(shadow.rule().name()).isEqualTo("tried"));
        }
    }

    @Test
    void requestsAreUnderWayUntilTheyAreSettled() {
        try (RemoteRateLimiter limiter = client().build()) {
            RemoteDecision first = ask(limiter, "/slots");
            assertThat(first.mustBeSettled()).isTrue();
            assertThat(ask(limiter, "/slots").allowed()).isFalse();
            first.settlement().complete(200);

            await().atMost(5, TimeUnit.SECONDS)
                    .until(() -> limiter.look(new AskedRequest("/slots", user)).allowed());
        }
    }

    @Test
    void chargesByTheResponseComeBack() {
        try (RemoteRateLimiter limiter = client().build()) {
            for (int i = 0; i < 6; i++) {
                RemoteDecision attempt = ask(limiter, "/log-in");
                assertThat(attempt.allowed()).isTrue();
                attempt.settlement().complete(200);
                await().atMost(5, TimeUnit.SECONDS)
                        .until(() ->
                                limiter.look(new AskedRequest("/log-in", user)).remaining() == 2);
            }
        }
    }

    @Test
    void whatARequestCostIsSaidAfterwards() {
        try (RemoteRateLimiter limiter = client().settles(true).build()) {
            ask(limiter, "/api/orders").settlement().confirm(3);
            await().atMost(5, TimeUnit.SECONDS)
                    .until(() ->
                            limiter.look(new AskedRequest("/api/orders", user)).remaining() == 2);
            ask(limiter, "/api/orders").settlement().refund();
            await().atMost(5, TimeUnit.SECONDS)
                    .until(() ->
                            limiter.look(new AskedRequest("/api/orders", user)).remaining() == 2);
        }
    }

    @Test
    void theSocketNeedsNoToken() {
        try (RemoteRateLimiter limiter = RemoteRateLimiter.of("unix:" + socket)
                .deadline(Duration.ofSeconds(2))
                .build()) {
            assertThat(ask(limiter, "/api/orders").reason()).isEqualTo(Reason.WITHIN_LIMITS);
        }
    }

    @Test
    void aWrongTokenLetsRequestsPass() {
        try (RemoteRateLimiter limiter = client().token("wrong").build()) {
            for (int i = 0; i < 10; i++) {
                assertThat(ask(limiter, "/shut").reason()).isEqualTo(Reason.FAILURE);
            }
        }
    }

    @Test
    void localLimitsFollowTheDaemonsRules(@TempDir Path other) throws Exception {
        try (RunningDaemon leaving = start(other);
                RemoteRateLimiter limiter = client(leaving)
                        .localLimits(other.resolve("rules.lastgood"), 1_000)
                        .build()) {
            leaving.close();

            for (int i = 0; i < 5; i++) {
                assertThat(ask(limiter, "/api/orders").allowed()).isTrue();
            }
            RemoteDecision refused = ask(limiter, "/api/orders");
            assertThat(refused.allowed()).isFalse();
            assertThat(refused.reason()).isEqualTo(Reason.FAILURE);
        }
    }
}
