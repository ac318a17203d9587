package io.ratelimit.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.server.web.RawConnection;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a proxy is told that asks before it passes a request on. */
class AuthTest {

    private static final String RULES = """
            service: orders
            clients: [user, ip]
            rules:
              - { name: orders, match: { path: /api/orders, methods: [GET] }, limits: 2 per 1h }
              - { name: exports, match: { operation: export }, limits: 10 per 1h, onExceeded: { status: 503 } }
              - { name: coffee, match: { path: /café }, limits: 1 per 1h }
            """;

    private static final AtomicInteger ADDRESSES = new AtomicInteger();

    /** A client whom nobody has seen. */
    private final String client = address();

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
    void aRequestPassesUntilItsLimitIsSpentAndIsThenRefusedWithTheClientsStatus() throws Exception {
        ask("/api/orders", client);
        HttpResponse<String> last = ask("/api/orders", client);
        HttpResponse<String> refused = ask("/api/orders", client);

        assertThat(last.statusCode()).isEqualTo(204);
        assertThat(field(last, "RateLimit")).startsWith("\"orders\";r=0");
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(field(refused, "X-RateLimit-Status")).isEqualTo("429");
        assertThat(field(refused, "Retry-After")).isEqualTo("1800");
        assertThat(ask("/api/orders", address()).statusCode()).isEqualTo(204);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/orders?x=1",
                "//api/orders",
                "/api/x/%2e%2e/orders",
                "/x/..;/api/orders",
                "/api;x=1/orders",
                "/api%2Forders",
                "/api/orders#x",
                "/api/orders/?#"
            })
    void everySpellingOfAPathMeetsItsLimit(String uri) throws Exception {
        assertThat(field(ask(uri, client), "RateLimit")).startsWith("\"orders\";r=1");
    }

    @Test
    void aPathWhoseBytesAreNotEscapedMeetsItsLimit() throws Exception {
        // In UTF-8, as nginx has got it.
        String answer = raw("X-Original-URI: /caf\u00c3\u00a9");

        assertThat(answer).startsWith("HTTP/1.1 204").contains("RateLimit: ");
    }

    @Test
    void operationAndCostComeFromTheProxysConfiguration() throws Exception {
        HttpResponse<String> passed = daemon.get("/v1/auth?operation=export&cost=7", "X-Original-User", "alice");
        HttpResponse<String> refused = daemon.get("/v1/auth?operation=export&cost=7", "X-Original-User", "alice");

        assertThat(field(passed, "RateLimit")).startsWith("\"exports\";r=3");
        assertThat(field(refused, "X-RateLimit-Status")).isEqualTo("503");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "many", ""})
    void aCostThatIsNoneIsAnErrorThatNamesIt(String cost) throws Exception {
        HttpResponse<String> answer = daemon.get("/v1/auth?cost=" + cost);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("'cost' is '" + cost + "'");
        assertThat(answer.headers().map()).doesNotContainKey("X-RateLimit-Status");
    }

    @Test
    void aClientsFieldThatIsNoHttpRefusesTheClientAndDoesNotLiftItsLimits() throws Exception {
        assertThat(raw("X-Any: a\u0001b"))
                .startsWith("HTTP/1.1 400 ")
                .contains("X-RateLimit-Status: 400", "Content-Type: application/problem+json");
    }

    @Test
    void aClientsFieldsThatAreTooLargeRefuseTheClient() throws Exception {
        assertThat(raw("X-Any: " + "a".repeat(65 << 10)))
                .startsWith("HTTP/1.1 431 ")
                .contains("X-RateLimit-Status: 431");
    }

    private static String address() {
        return "192.0.2." + ADDRESSES.incrementAndGet();
    }

    private HttpResponse<String> ask(String uri, String address) throws Exception {
        return daemon.get("/v1/auth", "X-Original-URI", uri, "X-Real-IP", address);
    }

    private static String field(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    private String raw(String field) throws Exception {
        String request = "GET /v1/auth HTTP/1.1\r\nHost: ratelimit\r\nX-Real-IP: " + client + "\r\n" + field
                + "\r\nConnection: close\r\n\r\n";
        return RawConnection.exchange(daemon.at("/").getPort(), request);
    }
}
