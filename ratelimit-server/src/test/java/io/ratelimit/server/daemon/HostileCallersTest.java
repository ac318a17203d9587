package io.ratelimit.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.Settlement;
import io.ratelimit.core.http.HttpSettings;
import io.ratelimit.server.listen.Listening;
import io.ratelimit.server.web.RawConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What whoever reaches the daemon's HTTP port can do to it. */
class HostileCallersTest {

    private static final String RULES = """
            service: shop
            clients: [user, ip]
            rules:
              - { name: all, limits: [1/h] }
            """;

    private static final AtomicInteger NEIGHBOURS = new AtomicInteger();

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

    private static RawConnection connect() throws IOException {
        return new RawConnection(daemon.at("/").getPort());
    }

    private static String raw(String request) throws IOException {
        return RawConnection.exchange(daemon.at("/").getPort(), request);
    }

    private static String post(String fields, String body) {
        return "POST /v1/decide HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n" + fields
                + "\r\n" + body;
    }

    private static void requirePrompt() throws Exception {
        long begin = System.nanoTime();
        for (int i = 0; i < 50; i++) {
            assertThat(daemon.decide("{\"user\":\"neighbour-" + NEIGHBOURS.incrementAndGet() + "\"}")
                            .get("allowed")
                            .asBoolean())
                    .isTrue();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void areToldWhatIsWrongThoughTheyStillSend() throws IOException {
        try (RawConnection sender = connect()) {
            sender.send("POST /v1/decide HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 2000000\r\n\r\n");
            String answer = sender.answer();
            sender.send("x".repeat(1_000_000));
            sender.send("x".repeat(1_000_000));
            sender.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n");

            assertThat(answer).startsWith("HTTP/1.1 413 ");
            assertThat(sender.answer()).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void aBodyThatIsTooLargeIsNotRead() throws Exception {
        assertThat(raw(post("Content-Length: 1048577\r\n", "{"))).startsWith("HTTP/1.1 413 ");
        assertThat(raw(post("Content-Length: 9223372036854775807\r\n", "{"))).startsWith("HTTP/1.1 413 ");
        requirePrompt();
    }

    @Test
    void aBodyOfUnknownLengthIsNotRead() throws Exception {
        assertThat(raw(post("Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n")))
                .startsWith("HTTP/1.1 411 ");
    }

    @Test
    void aBodyWithTwoLengthsIsRefused() throws Exception {
        assertThat(raw(post("Content-Length: 2\r\nContent-Length: 3\r\n", "{}x")))
                .startsWith("HTTP/1.1 400 ");
        assertThat(raw(post("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n")))
                .startsWith("HTTP/1.1 4");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 2\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: chunked\r\nContent-Length: 2"
            })
    void ofABodyWithTwoEndsNothingIsTakenForAnotherRequest(String fields) throws Exception {
        String smuggled = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n";
        String answers = raw("POST /v1/decide HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + fields
                + "\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + smuggled);

        assertThat(answers).startsWith("HTTP/1.1 400 ").doesNotContain("HTTP/1.1 200 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"+2", "-2", "0x2", "2, 2", "2 2", ""})
    void aLengthThatIsNoneIsRefused(String length) throws Exception {
        assertThat(raw(post("Content-Length: " + length + "\r\n", "{}"))).startsWith("HTTP/1.1 400 ");
    }

    @Test
    void requestsThatAreSentAtOnceAreAnsweredInTurn() throws Exception {
        String question = "{\"user\":\"impatient\"}";
        String request = post("Content-Length: " + question.length() + "\r\n", question);
        String kept = request.replace("Connection: close\r\n", "");

        String answers = raw(kept.repeat(500) + request);

        assertThat(answers.split("HTTP/1.1 200 ", -1)).hasSize(502);
        assertThat(answers.split("\"allowed\":true", -1)).as("1 of them passes").hasSize(2);
        assertThat(answers.indexOf("\"allowed\":true")).isLessThan(answers.indexOf("\"allowed\":false"));
    }

    @Test
    void anotherProtocolIsNotSpoken() throws Exception {
        assertThat(raw("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")).startsWith("HTTP/1.1 426 ");
        assertThat(raw(
                        "GET /health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\n"
                                + "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ");
        assertThat(raw("GET /health\r\n\r\n")).startsWith("HTTP/1.1 505 ");
        assertThat(raw("\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003"))
                .startsWith("HTTP/1.1 400 ");
    }

    @ParameterizedTest
    @CsvSource({
        "CONNECT /v1/auth, 400",
        "OPTIONS *, 404",
        "GET *, 400",
        "GET http://x/health, 200",
        "GET http://elsewhere/health, 400",
        "GET //health, 400",
        "GET /v1%2fauth, 400",
        "GET health, 400",
        "TRACE /health, 405"
    })
    void oddTargetsLeadNowhere(String line, int status) throws Exception {
        assertThat(raw(line + " HTTP/1.1\r\nHost: x\r\nX-Echo: secret\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 " + status + " ")
                .doesNotContain("secret");
    }

    @Test
    void nobodyIsLedElsewhere() throws Exception {
        try (RawConnection connection = connect()) {
            connection.send("CONNECT elsewhere:443 HTTP/1.1\r\nHost: elsewhere:443\r\n\r\n");
            assertThat(connection.answer()).startsWith("HTTP/1.1 404 ");
        }
    }

    @Test
    void manyHeaderFieldsAreReadOrRefusedAtOnce() throws Exception {
        long begin = System.nanoTime();
        for (int fields : new int[] {5_000, 50_000}) {
            String many =
                    IntStream.range(0, fields).mapToObj(i -> "x" + i + ":\r\n").collect(Collectors.joining());
            assertThat(raw(post(many + "Content-Length: 2\r\n", "{}")))
                    .startsWith(fields == 5_000 ? "HTTP/1.1 200 " : "HTTP/1.1 431 ");
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
        requirePrompt();
    }

    @Test
    void aBodyThatIsNotSaidToBeJsonIsNotGuessedAt() throws Exception {
        assertThat(raw("POST /v1/decide HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"))
                .startsWith("HTTP/1.1 415 ");
        assertThat(raw("POST /v1/decide HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: text/json-not\r\n"
                        + "Content-Length: 2\r\n\r\n{}"))
                .startsWith("HTTP/1.1 415 ");
    }

    @Test
    void headerFieldsThatAreTooLargeAreRefused() throws Exception {
        assertThat(raw(post("X-Large: " + "a".repeat(70_000) + "\r\nContent-Length: 2\r\n", "{}")))
                .startsWith("HTTP/1.1 431 ");
        requirePrompt();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"user\":\"\\ud800\"}",
                "{\"user\":\"\\u0000\\r\\n\"}",
                "{\"method\":\"\\r\\nGET\",\"path\":\"/\\r\\n%00\",\"operation\":\"\\n\"}",
                "{\"query\":\"%%%&=&%zz=%\"}",
                "{\"headers\":{\"\":\"\",\"\\r\\n\":\"x\"},\"cookies\":{\"\":\"\"},\"attributes\":{\"\":1e300}}"
            })
    void oddTextsAreTexts(String question) throws Exception {
        assertThat(daemon.decide(question).get("allowed").isBoolean()).isTrue();
    }

    @Test
    void jsonThatIsMadeToHurtIsRefusedAtOnce() throws Exception {
        List<String> bodies = List.of(
                "[".repeat(500_000),
                "{\"attributes\":" + "{\"a\":".repeat(100_000),
                "{\"cost\":1" + "0".repeat(900_000) + "}",
                "{\"cost\":1e999999999}",
                "{\"attributes\":{\"a\":[" + "{},".repeat(300_000) + "{}]}}",
                "{\"attributes\":{"
                        + IntStream.range(0, 50_000)
                                .mapToObj(name -> "\"n" + name + "\":1")
                                .collect(Collectors.joining(","))
                        + "}}",
                "{\"" + "u".repeat(900_000) + "\":1}");
        long begin = System.nanoTime();
        for (String body : bodies) {
            assertThat(daemon.post("/v1/decide", body).statusCode()).isEqualTo(400);
            assertThat(daemon.post("/v1/decide", body).body()).hasSizeLessThan(2_000);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void bytesThatAreNoUtf8AreRefused() throws Exception {
        assertThat(raw(post("Content-Length: 12\r\n", "{\"user\":\"\u00ff\"}"))).startsWith("HTTP/1.1 400 ");
        String utf16 = new String("{}".getBytes(StandardCharsets.UTF_16LE), StandardCharsets.ISO_8859_1);
        assertThat(raw(post("Content-Length: 4\r\n", utf16))).startsWith("HTTP/1.1 400 ");
    }

    @Test
    void aUserOfManyCharactersIsOneClient() throws Exception {
        String question = "{\"user\":\"" + "u".repeat(900_000) + "\"}";

        assertThat(daemon.decide(question).get("allowed").asBoolean()).isTrue();
        assertThat(daemon.decide(question).get("allowed").asBoolean()).isFalse();
    }

    @Test
    void callersThatAreSilentKeepNobodyWaiting() throws Exception {
        List<RawConnection> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 100; i++) {
                RawConnection connection = connect();
                silent.add(connection);
                connection.send(i % 3 == 0 ? "" : i % 3 == 1 ? "POST /v1/dec" : post("Content-Length: 1000\r\n", "{"));
            }
            requirePrompt();
        } finally {
            closeAll(silent);
        }
    }

    private static void closeAll(List<RawConnection> connections) throws IOException {
        for (RawConnection connection : connections) {
            connection.close();
        }
    }

    @Test
    void aCallerThatSendsItsBodyByDropsIsCutOff() throws Exception {
        try (RawConnection connection = connect()) {
            daemon.post("/v1/decide", " ".repeat(900_000) + "{}");
            connection.send(post("Content-Length: 1000\r\n", "{"));
            assertThat(connection.drip(" ")).isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    void manyConnectionsAtOnceAreServed() throws Exception {
        List<RawConnection> connections = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                connections.add(connect());
            }
            for (RawConnection connection : connections) {
                connection.send(post("Content-Length: 2\r\n", "{}"));
            }
            for (RawConnection connection : connections) {
                assertThat(connection.read(12)).isEqualTo("HTTP/1.1 200");
            }
        } finally {
            closeAll(connections);
        }
    }

    @Test
    @Tag("cluster")
    void bodiesThatDoNotComeTakeOnlyTheirPartOfTheHeap() throws Exception {
        List<RawConnection> slow = new ArrayList<>();
        try {
            for (long room = Runtime.getRuntime().maxMemory() / 8; room >= 0; room -= 1_000_000) {
                RawConnection connection = connect();
                slow.add(connection);
                connection.send(post("Content-Length: 1000000\r\n", "{"));
            }
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> raw(post("Content-Length: 1000000\r\n", "{")).startsWith("HTTP/1.1 503 "));
        } finally {
            closeAll(slow);
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() ->
                        daemon.post("/v1/decide", " ".repeat(900_000) + "{}").statusCode() == 200);
    }

    @Test
    void aFloodOfKeysStaysWithinTheTable(@TempDir Path other) throws Exception {
        Path rules = Files.writeString(other.resolve("rules.yaml"), RULES);
        try (RunningDaemon small = RunningDaemon.start(new DaemonSettings(
                new Listening("127.0.0.1", 0, "--port", null),
                null,
                null,
                RunningDaemon.OPEN,
                Map.of("rules", rules.toString(), "maxClients", "1000"),
                HttpSettings.DEFAULT,
                Duration.ofMinutes(1)))) {
            for (int batch = 0; batch < 50; batch++) {
                small.decide(IntStream.range(100 * batch, 100 * batch + 100)
                        .mapToObj(user -> "{\"user\":\"user-" + user + "\"}")
                        .collect(Collectors.joining(",", "{\"requests\":[", "]}")));
            }
            assertThat(small.daemon().engine().keys()).isBetween(500L, 1_100L);
            assertThat(small.decide("{\"user\":\"one-more\"}").get("allowed").asBoolean())
                    .isTrue();
        }
    }

    @Test
    void nothingThatACallerSendsBreaksALineOfTheLog(@TempDir Path other) throws Exception {
        String forged = "{\"path\":\"/\\n2026-01-01 ERROR forged\",\"user\":\"a\\r\\nERROR forged\"}";
        try (RunningDaemon logging = RunningDaemon.start(other, RULES);
                LogLines log = new LogLines("io.ratelimit")) {
            logging.decide(forged);
            logging.decide(forged);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> !log.lines().isEmpty());
            assertThat(log.lines()).noneMatch(line -> line.contains("\n") || line.contains("\r"));
        }
    }

    @Test
    void receiptsThatNobodyComesBackForAreNotKeptForEver() {
        Receipts receipts = new Receipts(Duration.ofMinutes(1));
        for (int i = 0; i < 120_000; i++) {
            receipts.issue(Settlement.NOTHING);
        }
        assertThat(receipts.count()).isLessThanOrEqualTo(100_000);
    }
}
