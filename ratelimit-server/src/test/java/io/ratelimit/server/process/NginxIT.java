package io.ratelimit.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ratelimit.server.process.NginxProcess.Configuration;
import io.ratelimit.server.process.Visit.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The configuration of the manual in a real nginx, before a real service, with a daemon that is well. */
@Tag("cluster")
class NginxIT {

    private static final int LIMIT = 5;

    private static final String RULES = """
            service: orders
            rules:
              - { name: api, match: { path: /api/** }, limits: 5 per 1h }
              - { name: exports, match: { operation: export }, limits: 10 per 1h, onExceeded: { status: 503 } }
              - { name: posts, match: { path: /posts, methods: [POST] }, limits: 5 per 1h }
              - { name: heads, match: { path: /heads, methods: [GET] }, limits: 5 per 1h }
              - { name: keys, match: { path: /keys }, key: "header:X-Api-Key", limits: 5 per 1h }
              - { name: users, match: { path: /users }, key: user, limits: 5 per 1h }
              - { name: blocked, match: { path: /blocked }, limits: "0" }
              - { name: warm, match: { path: /warm }, limits: 1000000/s }
            """;

    private static final AtomicInteger ADDRESSES = new AtomicInteger(1);

    @TempDir
    private static Path directory;

    private static EchoService service;
    private static ServerProcess daemon;
    private static NginxProcess nginx;

    /** A client whom nobody has seen. */
    private final Visit client = somebody();

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(NginxProcess.isInstalled(), "nginx is not installed");
        service = EchoService.start();
        daemon = ServerProcess.daemonWithTokens(
                directory, RULES, "--unix-socket", directory.resolve("socket").toString());
        nginx = start(configuration());
    }

    private static Configuration configuration() throws IOException {
        return Configuration.ofManual(service.port(), daemon.port()).patient();
    }

    /** Starts an nginx that has found the daemon to be there. */
    private static NginxProcess start(Configuration configuration) throws Exception {
        NginxProcess started = NginxProcess.start(directory, configuration);
        try {
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> started.from("127.0.0.1").get("/warm").isDecided());
            return started;
        } catch (Throwable e) {
            started.close();
            throw e;
        }
    }

    @AfterAll
    static void stop() throws Exception {
        if (nginx != null) {
            nginx.close();
        }
        if (daemon != null) {
            daemon.close();
        }
        if (service != null) {
            service.close();
        }
    }

    private static Visit somebody() {
        return nginx.from("127.0.1." + ADDRESSES.incrementAndGet());
    }

    @Test
    void aLimitHoldsExactlyThoughManyAskAtOnce() throws Exception {
        ExecutorService many = Executors.newFixedThreadPool(16);
        List<Callable<Reply>> requests = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            String uri = "/api/orders/" + i;
            requests.add(() -> client.get(uri));
        }
        List<Integer> statuses = new ArrayList<>();
        for (Future<Reply> reply : many.invokeAll(requests)) {
            statuses.add(reply.get().status());
        }
        many.shutdown();

        assertThat(statuses).containsOnly(200, 429);
        assertThat(statuses.stream().filter(status -> status == 200)).hasSize(LIMIT);
        assertThat(somebody().get("/api/orders").status()).isEqualTo(200);
    }

    @Test
    void answersThatPassAndThoseThatRefuseTellTheClientWhereItStands() throws Exception {
        Reply first = client.get("/api/orders?a=1");
        spend("/api/orders", LIMIT - 1);
        Reply refused = client.get("/api/orders");

        assertThat(first.status()).isEqualTo(200);
        assertThat(first.body()).isEqualTo("GET /api/orders?a=1 0");
        assertThat(first.fields())
                .containsEntry("RateLimit-Policy", "\"api\";q=5;w=3600")
                .doesNotContainKey("Retry-After");
        assertThat(first.fields().get("RateLimit")).startsWith("\"api\";r=4");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.fields())
                .containsEntry("RateLimit-Policy", "\"api\";q=5;w=3600")
                .containsEntry("Content-Type", "application/problem+json")
                .containsEntry("Cache-Control", "no-store");
        assertThat(Integer.parseInt(refused.fields().get("Retry-After"))).isBetween(600, 720);
        assertThat(refused.fields().get("RateLimit")).startsWith("\"api\";r=0");
        assertThat(refused.body()).contains("\"status\":429");
        assertThat(nginx.lastLog()).endsWith("ratelimit=\"403\"");
    }

    @Test
    void aRefusalThatNoWaitingEndsPromisesNone() throws Exception {
        Reply refused = client.get("/blocked");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.fields()).doesNotContainKey("Retry-After");
    }

    @Test
    void aLocationNamesAnOperationAndItsCostAndTheRuleTheStatus() throws Exception {
        assertThat(client.get("/exports/1").fields().get("RateLimit")).startsWith("\"exports\";r=5");
        assertThat(client.get("/exports/2?cost=0&operation=none").fields().get("RateLimit"))
                .startsWith("\"exports\";r=0");
        Reply refused = client.get("/exports/3");

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.fields()).containsKeys("Retry-After", "RateLimit");
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404, 429, 500, 503})
    void whatTheServiceAnswersPassesThrough(int status) throws Exception {
        Reply reply = client.get("/api/orders", "X-Answer: " + status);

        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.body()).isEqualTo("GET /api/orders 0");
        assertThat(reply.fields().get("RateLimit")).startsWith("\"api\";r=4");
    }

    @Test
    void headIsCountedAsGetAndRefusedWithoutABody() throws Exception {
        for (int i = 0; i < LIMIT; i++) {
            Reply reply = client.send("HEAD", "/heads", "");
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.fields()).containsKey("RateLimit");
        }
        Reply refused = client.send("HEAD", "/heads", "");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.body()).isEmpty();
        assertThat(refused.fields()).containsKey("Retry-After");
        assertThat(client.get("/heads").status()).isEqualTo(429);
    }

    @Test
    void bodiesGoToTheServiceAlone() throws Exception {
        String large = "x".repeat(1 << 20);
        assertThat(client.send("POST", "/posts", large).body()).isEqualTo("POST /posts " + large.length());
        assertThat(client.send("POST", "/posts", "3\r\nabc\r\n0\r\n\r\n", "Transfer-Encoding: chunked")
                        .body())
                .isEqualTo("POST /posts 3");
        assertThat(client.send("POST", "/posts", "abc", "Expect: 100-continue").body())
                .endsWith("POST /posts 3");
        assertThat(client.get("/posts").isDecided()).isFalse();
        client.send("POST", "/posts", "abc");
        client.send("POST", "/posts", "abc");

        assertThat(client.send("POST", "/posts", large).status()).isEqualTo(429);
        assertThat(client.send("POST", "/posts", "abc").status()).isEqualTo(429);
    }

    @Test
    void aBodyThatTheServiceTakesIsNotTooLargeForTheQuestion() throws Exception {
        try (NginxProcess other = start(configuration()
                .with(
                        "proxy_pass http://service;                # ",
                        "client_max_body_size 8m; proxy_pass http://service; # "))) {
            Reply reply = other.from(client.address()).send("POST", "/posts", "x".repeat(4 << 20));

            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.isDecided()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//api/orders",
                "/api//orders",
                "//x.example.org/../api/orders",
                "/%61pi/orders",
                "/api%2Forders",
                "/%2fapi/orders",
                "/api/orders/%ff",
                "/%61pi/orders/%ff",
                "/api;x=1/orders",
                "/;x/api/orders;y=2",
                "/api/orders?/../../x",
                "/api/orders?%zz&%00",
                "/api/%0d%0aX-Original-URI:%20/x",
                "/api/a%5c..%5c..%5cx",
                "/api/x/../orders",
                "/x/../api/orders",
                "/x/%2e%2e/api/orders",
                "/x/.%2E/api/orders",
                "/./api/orders",
                "/x/..;/api/orders",
                "/x/%2e%2e%2fapi/orders",
                "/x%2f..%2fapi/orders",
                "/x/..#/../api/orders",
                "/api/..",
                "/../api/orders",
                "/api/%00",
                "/%00/../api/orders",
                "/api/%zz",
                "/api/%",
                "http://other.example.org/api/orders",
                "http://other.example.org//api/orders",
                "/api/é"
            })
    void aRequestInWhateverSpellingIsCountedOrRefusedAsAmbiguous(String uri) throws Exception {
        Reply reply = client.get(uri);

        if (reply.status() != 400) {
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.fields().get("RateLimit")).startsWith("\"api\";r=4");
            assertThat(client.get("/api/orders").fields().get("RateLimit")).startsWith("\"api\";r=3");
        } else {
            assertThat(reply.body()).doesNotContain("GET");
            assertThat(uri).matches(".*(\\.|%2e|%2E|%00|%zz|%$).*");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/x/...", "/x/..x", "/x/.hidden", "/x/a.b/c..d", "/x/?a=../..", "/.well-known/x"})
    void pathsWithOtherDotsPassAsTheyAre(String uri) throws Exception {
        assertThat(client.get(uri).body()).isEqualTo("GET " + uri + " 0");
    }

    @Test
    void aVeryLongPathIsCountedAndATooLongOneRefusedByNginx() throws Exception {
        assertThat(client.get("/api/" + "x/".repeat(3_900)).fields().get("RateLimit"))
                .startsWith("\"api\";r=4");
        assertThat(client.get("/api/?" + "%41".repeat(2_600)).fields().get("RateLimit"))
                .startsWith("\"api\";r=3");
        assertThat(client.get("/api/" + "x".repeat(9_000)).status()).isEqualTo(414);
    }

    @Test
    void largeHeaderFieldsOfClientsAreCountedLikeOthers() throws Exception {
        List<String> fields = new ArrayList<>(List.of("X-Api-Key: large"));
        for (int i = 0; i < 3; i++) {
            fields.add("X-Large-" + i + ": " + "a".repeat(7_900));
        }
        fields.add("Cookie: " + "c".repeat(6_000));
        Reply reply = client.get("/keys", fields.toArray(String[]::new));

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.fields().get("RateLimit")).startsWith("\"keys\";r=4");
    }

    @Test
    void moreHeaderFieldsThanTheDaemonReadsLiftNoLimit() throws Exception {
        try (NginxProcess other =
                start(configuration().with("server_name ", "large_client_header_buffers 16 16k; server_name "))) {
            List<String> fields = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                fields.add("X-Large-" + i + ": " + "a".repeat(10_000));
            }

            Reply refused = other.from(client.address()).get("/api", fields.toArray(String[]::new));
            assertThat(refused.status()).isEqualTo(431);
            assertThat(other.lastLog()).endsWith("ratelimit=\"431\"");
        }
    }

    @Test
    void bytesThatNoFieldMayHaveLiftNoLimit() throws Exception {
        Reply refused = client.get("/api/orders", "X-Any: a\u0001b");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(nginx.lastLog()).endsWith("ratelimit=\"400\"");
        assertThat(client.get("/api/orders", "X-Any: a\u00e9b").fields().get("RateLimit"))
                .startsWith("\"api\";r=4");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Original-URI: /free",
                "x-original-uri: /free",
                "X_Original_URI: /free",
                "X-Original-Method: OPTIONS",
                "X-Real-IP: 192.0.2.%d",
                "X-Forwarded-For: 192.0.2.%d",
                "Forwarded: for=192.0.2.%d",
                "X-RateLimit-Token: 0000000000000000000%d",
                "X-RateLimit-Token:",
                "X-RateLimit-Status: 200",
                "Authorization: Bearer %d",
                "X-Original-User: user-%d",
                "Content-Length: 0",
                "Connection: X-Original-URI, X-Real-IP, X-RateLimit-Token",
                "Connection: upgrade",
                "Upgrade: h2c"
            })
    void whatClientsForgeDoesNothing(String field) throws Exception {
        for (int i = 0; i < LIMIT; i++) {
            Reply reply = client.get("/api/orders", String.format(field, i));
            assertThat(reply.fields().get("RateLimit")).startsWith("\"api\";r=" + (LIMIT - 1 - i));
        }
        assertThat(client.get("/api/orders", String.format(field, 9)).status()).isEqualTo(429);
    }

    @Test
    void aClientIsNoUserByItsOwnWord() throws Exception {
        assertThat(client.get("/users", "X-Original-User: alice", "Authorization: Basic YWxpY2U6eA==")
                        .isDecided())
                .isFalse();
    }

    @Test
    void clientsCannotAskTheDaemonThemselves() throws Exception {
        assertThat(client.get("/_ratelimit").status()).isEqualTo(404);
        assertThat(client.get("/health").isDecided()).isFalse();
    }

    @Test
    void aDenialOfNginxItselfStaysOne() throws Exception {
        try (NginxProcess other = start(configuration()
                .with("location = /health {", "location = /secret { deny all; }\nlocation = /health {"))) {
            assertThat(other.from(client.address()).get("/secret").status()).isEqualTo(403);
        }
    }

    @Test
    void aDaemonAtAUnixDomainSocketNeedsNoToken() throws Exception {
        try (NginxProcess other = start(configuration()
                .with("127.0.0.1:" + daemon.port(), "unix:" + directory.resolve("socket"))
                .with(ServerProcess.TOKEN, ""))) {
            Visit visit = other.from(client.address());
            for (int i = 0; i < LIMIT; i++) {
                assertThat(visit.get("/api/orders").status()).isEqualTo(200);
            }
            assertThat(visit.get("/api/orders").status()).isEqualTo(429);
            assertThat(client.get("/api/orders").status()).isEqualTo(429);
        }
    }

    private void spend(String uri, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            assertThat(client.get(uri).status()).isEqualTo(200);
        }
    }
}
