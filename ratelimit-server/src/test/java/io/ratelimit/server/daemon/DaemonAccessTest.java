package io.ratelimit.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.core.http.HttpSettings;
import io.ratelimit.server.daemon.DaemonSettings.TokenFiles;
import io.ratelimit.server.listen.Listening;
import io.ratelimit.server.web.RawConnection;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DaemonAccessTest {

    private static final String RULES =
            "service: shop\nrules:\n  - { name: all, key: service, match: { path: /api }, limits: [5/h] }\n";

    private static final String CALLER = "caller-caller-caller-caller";
    private static final String OPERATOR = "operator-operator-operator";

    @TempDir
    private static Path shared;

    private static RunningDaemon daemon;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() throws Exception {
        daemon = RunningDaemon.start(shared, RULES, tokens(shared), Duration.ofMinutes(1));
    }

    @AfterAll
    static void stop() {
        daemon.close();
    }

    private static TokenFiles tokens(Path directory) throws Exception {
        return new TokenFiles(
                Files.writeString(directory.resolve("callers"), "# of the shop\n\n" + CALLER + "\n"),
                Files.writeString(directory.resolve("operators"), OPERATOR),
                false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/auth", "/v1/rules", "/v1/status", "/v1/explain?request=GET%20/", "/metrics"})
    void nothingIsToldWithoutAToken(String path) throws Exception {
        HttpResponse<String> none = daemon.get(path);
        assertThat(none.statusCode()).isEqualTo(401);
        assertThat(none.headers().firstValue("WWW-Authenticate")).hasValue("Bearer realm=\"ratelimit\"");
        assertThat(none.body()).doesNotContain("shop");
        assertThat(daemon.get(path, "Authorization", "Bearer " + CALLER + "x").statusCode())
                .isEqualTo(401);
        assertThat(daemon.get(path, "Authorization", "Basic " + CALLER).statusCode())
                .isEqualTo(401);
    }

    @Test
    void nothingIsChargedWithoutAToken() throws Exception {
        assertThat(daemon.post("/v1/decide", "{\"path\":\"/api\"}").statusCode())
                .isEqualTo(401);
        assertThat(daemon.get("/v1/auth", "X-Original-URI", "/api").statusCode())
                .isEqualTo(401);
        assertThat(daemon.post("/v1/settle", "{}").statusCode()).isEqualTo(401);
        assertThat(daemon.post("/v1/decide", "{\"path\":\"/api\"}", "Authorization", "Bearer " + CALLER)
                        .body())
                .contains("\"remaining\":4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/status", "/v1/explain?request=GET%20/", "/metrics"})
    void whatOperatorsSeeIsNotForCallers(String path) throws Exception {
        assertThat(daemon.get(path, "Authorization", "Bearer " + CALLER).statusCode())
                .isEqualTo(403);
        assertThat(daemon.get(path, "Authorization", "bearer " + OPERATOR).statusCode())
                .isEqualTo(200);
    }

    @Test
    void whatOperatorsSeeIsForThemAloneThoughAnybodyMayAskForDecisions() throws Exception {
        TokenFiles operatorsAlone = new TokenFiles(null, tokens(directory).operators(), false);
        try (RunningDaemon daemon = RunningDaemon.start(directory, RULES, operatorsAlone, Duration.ofMinutes(1))) {
            assertThat(daemon.get("/v1/status").statusCode()).isEqualTo(401);
            assertThat(daemon.get("/v1/status", "Authorization", "Bearer " + OPERATOR)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(daemon.post("/v1/decide", "{}").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void whoAsksWhetherItLivesNeedsNoToken() throws Exception {
        assertThat(daemon.get("/health").statusCode()).isEqualTo(200);
        assertThat(daemon.get("/ready").statusCode()).isEqualTo(200);
    }

    @Test
    void aProxySendsItsTokenInAFieldOfItsOwnSinceAuthorizationIsItsClients() throws Exception {
        HttpResponse<String> passes = daemon.get(
                "/v1/auth",
                "X-RateLimit-Token",
                CALLER,
                "Authorization",
                "Bearer of-the-client",
                "X-Original-URI",
                "/elsewhere");
        assertThat(passes.statusCode()).isEqualTo(204);
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-RateLimit-Token: ", "Authorization: Bearer "})
    void ofTwoTokensNoneCounts(String field) throws Exception {
        String valid = field + CALLER + "\r\n";
        for (String fields :
                new String[] {valid + field + "of-somebody-else\r\n", field + "x\r\n" + valid, valid + valid}) {
            assertThat(auth(fields)).startsWith("HTTP/1.1 401 ").contains("send one token");
        }
        assertThat(auth(valid)).startsWith("HTTP/1.1 204 ");
    }

    private static String auth(String fields) throws Exception {
        return RawConnection.exchange(
                daemon.at("/").getPort(),
                "GET /v1/auth HTTP/1.1\r\nHost: x\r\nX-Original-URI: /elsewhere\r\nConnection: close\r\n" + fields
                        + "\r\n");
    }

    @Test
    void howeverManyTokensTheClientOfAProxyHasSentItsOwnCounts() throws Exception {
        assertThat(auth("Authorization: Bearer a\r\nX-RateLimit-Token: " + CALLER + "\r\nAuthorization: Bearer b\r\n"))
                .startsWith("HTTP/1.1 204 ");
    }

    @Test
    void tokensAreReadAgain() throws Exception {
        try (RunningDaemon reading =
                RunningDaemon.startReading(directory, RULES, tokens(directory), Duration.ofMillis(50))) {
            String other = "another-another-another";
            Files.writeString(directory.resolve("callers"), other + "\n");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> reading.get("/v1/rules", "Authorization", "Bearer " + other)
                                    .statusCode()
                            == 200);
            assertThat(reading.get("/v1/rules", "Authorization", "Bearer " + CALLER)
                            .statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void aBadFileLeavesTheTokensAsTheyWere() throws Exception {
        Path file = Files.writeString(directory.resolve("tokens"), CALLER);
        Tokens tokens = Tokens.in(file);
        Files.writeString(file, "short");
        tokens.reload();
        assertThat(tokens.include(CALLER)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# none\n", "short", "with a space inside of it"})
    void aFileWithoutATokenIsRefusedAndNotShown(String content) throws Exception {
        Path file = Files.writeString(directory.resolve("tokens"), content);

        assertThatThrownBy(() -> Tokens.in(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(file.toString())
                .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain("inside"));
    }

    @Test
    void othersThanThisMachineMustHaveAToken() {
        assertThatThrownBy(() -> open(RunningDaemon.OPEN)).hasMessageContaining("--token-file");
        assertThat(open(new TokenFiles(null, null, true)).unixSocket()).isNull();
    }

    private static DaemonSettings open(TokenFiles tokens) {
        Listening all = new Listening("0.0.0.0", 0, "--port", null);
        return new DaemonSettings(all, null, null, tokens, Map.of(), HttpSettings.DEFAULT, Duration.ofMinutes(1));
    }

    @Test
    void whoMayOpenTheUnixSocketMayAsk() throws Exception {
        Path socket = directory.resolve("ratelimit.sock");
        try (RunningDaemon open = RunningDaemon.startAt(directory, RULES, tokens(directory), socket)) {
            assertThat(Files.getPosixFilePermissions(socket)).isEqualTo(PosixFilePermissions.fromString("rw-rw----"));
            assertThat(overSocket(socket, "{\"path\":\"/api\"}")).contains("\"remaining\":4");
            assertThat(open.post("/v1/decide", "{}").statusCode()).isEqualTo(401);
        }
        assertThat(socket).doesNotExist();
    }

    @Test
    void aDaemonThatEndsLeavesTheSocketOfItsSuccessor() throws Exception {
        Path socket = directory.resolve("ratelimit.sock");
        RunningDaemon old = RunningDaemon.startAt(directory, RULES, RunningDaemon.OPEN, socket);
        Files.delete(socket);
        try (RunningDaemon successor = RunningDaemon.startAt(directory, RULES, RunningDaemon.OPEN, socket)) {
            old.close();

            assertThat(overSocket(socket, "{\"path\":\"/api\"}")).contains("\"remaining\":4");
        }
        assertThat(socket).doesNotExist();
    }

    private static String overSocket(Path socket, String body) throws Exception {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            channel.write(ByteBuffer.wrap(("POST /v1/decide HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type:"
                            + " application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                    .getBytes(StandardCharsets.US_ASCII)));
            try (InputStream in = Channels.newInputStream(channel)) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }
}
