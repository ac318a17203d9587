package io.ratelimit.core.retrieve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.ratelimit.TimeSource;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class HttpRulesSourceTest {

    private static final long NOW = 1_800_000_000_000L;
    private static final String LONG_AGO = "Wed, 21 Oct 2015 07:28:00 GMT";

    private static final String SHA_256_OF_ONE = "dpLDrTVAu4A8Ags67mbNiIcSMjTqDG5xQ8Ct1z/0Me0=";

    private final List<Headers> requests = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch over = new CountDownLatch(1);
    private HttpServer server;
    private RulesSource source;
    private Answer answer;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            requests.add(exchange.getRequestHeaders());
            answer.give(exchange);
            exchange.close();
        });
        server.start();
        source = RulesSources.of(url(), settings());
    }

    @AfterEach
    void stop() {
        over.countDown();
        source.close();
        server.stop(0);
        threads.shutdownNow();
    }

    @Test
    void rulesComeWithTagAndVersion() throws Exception {
        answer = exchange -> {
            exchange.getResponseHeaders().set("ETag", "\"v1\"");
            exchange.getResponseHeaders().set("Last-Modified", LONG_AGO);
            exchange.getResponseHeaders().set("Content-Type", "image/png");
            send(exchange, 200, "one");
        };

        RulesDocument document = source.retrieve(null).orElseThrow();

        assertThat(document.content()).asString(UTF_8).isEqualTo("one");
        assertThat(document.tag()).isEqualTo("\"v1\"");
        assertThat(document.version())
                .isEqualTo(Instant.parse("2015-10-21T07:28:00Z").toEpochMilli());
        assertThat(document.location()).isEqualTo(url());
        assertThat(requests.get(0)).doesNotContainKeys("If-None-Match", "If-Modified-Since", "Authorization");
    }

    @Test
    void anUnchangedTagMeansUnchangedRules() throws Exception {
        answer = tagged("\"v1\"", "one");
        RulesDocument document = source.retrieve(null).orElseThrow();
        answer = exchange -> exchange.sendResponseHeaders(304, -1);

        assertThat(source.retrieve(document)).isEmpty();
        assertThat(requests.get(1).getFirst("If-None-Match")).isEqualTo("\"v1\"");
    }

    @Test
    void aDocumentOfAnEarlierRunIsAskedForByItsTag() throws Exception {
        answer = exchange -> exchange.sendResponseHeaders(304, -1);

        assertThat(source.retrieve(document("W/\"v7\""))).isEmpty();
        assertThat(source.retrieve(document(LONG_AGO))).isEmpty();
        assertThat(requests.get(0).getFirst("If-None-Match")).isEqualTo("W/\"v7\"");
        assertThat(requests.get(1).getFirst("If-Modified-Since")).isEqualTo(LONG_AGO);
    }

    @Test
    void theSameBytesUnderAnotherTagAreUnchangedAndTheNewTagIsAskedFor() throws Exception {
        answer = tagged("\"v1\"", "one");
        RulesDocument document = source.retrieve(null).orElseThrow();
        answer = tagged("\"v2\"", "one");

        assertThat(source.retrieve(document)).isEmpty();
        source.retrieve(document);
        assertThat(requests.get(2).getFirst("If-None-Match")).isEqualTo("\"v2\"");
    }

    @Test
    void withoutATagTheDateIsAskedFor() throws Exception {
        answer = dated(LONG_AGO);
        RulesDocument document = source.retrieve(null).orElseThrow();
        source.retrieve(document);

        assertThat(requests.get(1).getFirst("If-Modified-Since")).isEqualTo(LONG_AGO);
        assertThat(requests.get(1)).doesNotContainKey("If-None-Match");
    }

    @Test
    void aDateAsYoungAsTheAnswerMayHideAChangeAndIsNotAskedFor() throws Exception {
        answer = dated("Fri, 31 Dec 2100 23:59:59 GMT");
        RulesDocument document = source.retrieve(null).orElseThrow();
        source.retrieve(document);

        assertThat(requests.get(1)).doesNotContainKeys("If-Modified-Since", "If-None-Match");
    }

    @Test
    void undatedRulesHaveTheTimeTheyWereFirstSeen() throws Exception {
        answer = exchange -> send(exchange, 200, "one");
        RulesDocument document = source.retrieve(null).orElseThrow();
        answer = exchange -> send(exchange, 200, "two");
        RulesDocument changed = source.retrieve(document).orElseThrow();

        assertThat(document.version()).isEqualTo(NOW);
        assertThat(changed.version()).isEqualTo(NOW + 1);
        assertThat(document.tag()).startsWith("sha256:").isNotEqualTo(changed.tag());
    }

    @Test
    void olderRulesThatComeBackAreNewer() throws Exception {
        answer = exchange -> send(exchange, 200, "one");
        RulesDocument document = source.retrieve(null).orElseThrow();
        answer = exchange -> {
            exchange.getResponseHeaders().set("Last-Modified", LONG_AGO);
            send(exchange, 200, "two");
        };

        assertThat(source.retrieve(document).orElseThrow().version()).isEqualTo(NOW + 1);
    }

    @Test
    void aPublishedVersionHasItsNameAndItsMilliseconds() throws Exception {
        answer = published("17;published=1793524801123", "one");

        RulesDocument document = source.retrieve(null).orElseThrow();

        assertThat(document.versionName()).isEqualTo("17");
        assertThat(document.version()).isEqualTo(1_793_524_801_123L);
    }

    @Test
    void theSameBytesPublishedAnewAreANewVersion() throws Exception {
        answer = published("17;published=1793524801123", "one");
        RulesDocument document = source.retrieve(null).orElseThrow();
        answer = published("18; by=somebody; published=1793524801123", "one");

        RulesDocument anew = source.retrieve(document).orElseThrow();
        assertThat(anew.versionName()).isEqualTo("18");
        assertThat(anew.version()).isEqualTo(1_793_524_801_124L);
        assertThat(source.retrieve(anew)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"seventeen;published=1793524801123", "17", "17;published=soon", "17;published=1e9", "17;=", ""})
    void aPublishedVersionThatCannotBeReadIsNone(String value) throws Exception {
        answer = exchange -> {
            exchange.getResponseHeaders().set("Last-Modified", LONG_AGO);
            published(value, "one").give(exchange);
        };

        RulesDocument document = source.retrieve(null).orElseThrow();
        assertThat(document.versionName()).isNull();
        assertThat(document.version())
                .isEqualTo(Instant.parse("2015-10-21T07:28:00Z").toEpochMilli());
    }

    @Test
    void otherStatusesNameStatusAndUrl() {
        refused(500, "answers status 500: expected 200 with the rules");
        refused(503, "answers status 503");
        refused(404, "answers status 404: check the URL");
        refused(401, "answers status 401: check the credentials in the URL, or the bearer token, which is rulesToken");
        refused(204, "answers status 204");
        refused(304, "answers status 304: the request had no condition");
    }

    @Test
    void aRedirectIsNotFollowed() {
        answer = exchange -> {
            exchange.getResponseHeaders().set("Location", "http://user:secret@elsewhere/rules");
            exchange.sendResponseHeaders(302, -1);
        };

        assertThatThrownBy(() -> source.retrieve(null))
                .isInstanceOf(IOException.class)
                .hasMessage(url() + ": answers status 302, a redirect to http://elsewhere/rules: redirects are not"
                        + " followed, configure the URL that has the rules");
        assertThat(requests).hasSize(1);
    }

    @Test
    void aHugeErrorPageIsNotReadToItsEnd() {
        answer = exchange -> {
            exchange.sendResponseHeaders(500, 0);
            flood(exchange.getResponseBody());
        };

        assertThatThrownBy(() -> source.retrieve(null)).hasMessageContaining("answers status 500");
    }

    @Test
    void anOversizedBodyIsCutOffWhileItComes() {
        answer = exchange -> {
            exchange.sendResponseHeaders(200, 0);
            flood(exchange.getResponseBody());
        };

        assertThatThrownBy(() -> source.retrieve(null))
                .isInstanceOf(IOException.class)
                .hasMessage(url() + ": is larger than 4 MiB, which no rules file is: check the location");
    }

    @Test
    void aBodyOfExactlyTheGreatestSizeIsTaken() throws Exception {
        answer = exchange -> send(exchange, 200, "x".repeat(ContentLimit.BYTES));

        assertThat(source.retrieve(null).orElseThrow().content()).hasSize(ContentLimit.BYTES);
    }

    @Test
    void aCutBodyIsAnError() {
        answer = exchange -> {
            exchange.sendResponseHeaders(200, 1000);
            exchange.getResponseBody().write("service: orders".getBytes(UTF_8));
            exchange.getResponseBody().flush();
        };

        assertThatThrownBy(() -> source.retrieve(null))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(url() + ": the exchange failed");
    }

    @Test
    void aCutChunkedBodyIsAnError() throws Exception {
        assertThatThrownBy(() -> raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nservice: "))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the exchange failed");
    }

    @Test
    void aBodyWhoseEndCannotBeToldIsAnError() {
        assertThatThrownBy(() -> raw("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nservice: orders"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("without Content-Length");
    }

    @Test
    void aCompressedBodyIsAnError() {
        answer = exchange -> {
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
            send(exchange, 200, "zipped");
        };

        assertThatThrownBy(() -> source.retrieve(null)).hasMessageContaining("Content-Encoding 'gzip'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sha-256=:" + SHA_256_OF_ONE + ":",
                "sha-512=:AAAA:, sha-256=:" + SHA_256_OF_ONE + ":;x=1",
                "md5=:AAAA:",
                "sha-512=nonsense",
                "sha-256x=:AAAA:",
                "",
            })
    void contentThatMatchesItsDigestIsTakenAndUnknownAlgorithmsArePassedOver(String digest) throws Exception {
        answer = digested(digest);

        assertThat(source.retrieve(null)).isPresent();
    }

    @Test
    void contentThatDoesNotMatchItsDigestIsAnError() {
        answer = digested("sha-256=:" + SHA_256_OF_ONE.replace('d', 'e') + ":");

        assertThatThrownBy(() -> source.retrieve(null))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(url() + ": answers with rules that do not match their Repr-Digest: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sha-256", "sha-256=1", "sha-256=:AAAA:", "sha-256=:*:", "md5=:AAAA:,sha-256=:AAAA"})
    void aDigestThatIsNoneIsAnError(String digest) {
        answer = digested(digest);

        assertThatThrownBy(() -> source.retrieve(null))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(url() + ": answers with a Repr-Digest that cannot be checked: '");
    }

    @Test
    void garbageInsteadOfHttpIsAnError() {
        assertThatThrownBy(() -> raw("+PONG\r\n\r\n")).isInstanceOf(IOException.class);
    }

    @Test
    void aServerThatHangsIsGivenUp() {
        answer = exchange -> awaitEnd();
        source = impatient(url());

        assertThatThrownBy(() -> source.retrieve(null))
                .isInstanceOf(IOException.class)
                .hasMessage(url() + ": no whole answer within 200 ms: is the service up and not overloaded?");
    }

    @Test
    void aServerThatHangsInTheBodyIsGivenUp() {
        answer = exchange -> {
            exchange.sendResponseHeaders(200, 1000);
            exchange.getResponseBody().write(1);
            exchange.getResponseBody().flush();
            awaitEnd();
        };
        source = impatient(url());

        assertThatThrownBy(() -> source.retrieve(null)).hasMessageContaining("no whole answer within 200 ms");
    }

    @Test
    void nobodyListeningIsAnErrorAndTheNextRequestTriesAgain() throws Exception {
        answer = tagged("\"v1\"", "one");
        int port = server.getAddress().getPort();
        server.stop(0);
        assertThatThrownBy(() -> source.retrieve(null))
                .isInstanceOf(IOException.class)
                .hasMessage(url() + ": cannot connect: is the service up, and are host and port right?");

        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", exchange -> {
            answer.give(exchange);
            exchange.close();
        });
        server.start();
        assertThat(source.retrieve(null)).isPresent();
    }

    @Test
    void credentialsOfTheUrlAreSentAndNotShown() throws Exception {
        source = RulesSources.of(url().replace("http://", "http://host:secret@"), settings());
        answer = tagged("\"v1\"", "one");

        RulesDocument document = source.retrieve(null).orElseThrow();

        assertThat(requests.get(0).getFirst("Authorization")).isEqualTo("Basic aG9zdDpzZWNyZXQ=");
        assertThat(source.location()).isEqualTo(url());
        assertThat(document.location()).isEqualTo(url());
        answer = exchange -> exchange.sendResponseHeaders(401, -1);
        assertThatThrownBy(() -> source.retrieve(null)).hasMessageNotContaining("secret");
    }

    @Test
    void aBearerTokenIsSent() throws Exception {
        source = RulesSources.of(url(), settings().withBearerToken("abc.def=="));
        answer = tagged("\"v1\"", "one");
        source.retrieve(null);

        assertThat(requests.get(0).getFirst("Authorization")).isEqualTo("Bearer abc.def==");
    }

    @Test
    void theServiceIsToldWhichHostAsksAndWhatIsInForceThere() throws Exception {
        answer = tagged("\"v2\"", "two");
        RulesService service = (RulesService) source;
        service.retrieve(null, null);
        service.retrieve(document("\"v2\""), document("\"v1\""));
        service.retrieve(null, document("sha256:1"));

        assertThat(requests)
                .extracting(headers -> headers.getFirst("RateLimit-Host"))
                .allMatch(host -> host.matches("app-3/[0-9a-f]{8}"));
        assertThat(requests)
                .extracting(headers -> headers.getFirst("RateLimit-In-Force"))
                .containsExactly(null, "\"v1\"", null);
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        answer = exchange -> {
            asked.countDown();
            awaitEnd();
        };
        Thread waiting = Thread.currentThread();
        threads.execute(() -> {
            try {
                asked.await();
            } catch (InterruptedException e) {
                return;
            }
            waiting.interrupt();
        });

        assertThatThrownBy(() -> source.retrieve(null)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void aClosedSourceIsNotAskedAndNoThreadOfItsIsLeftWithTheApplicationsClassLoader() throws Exception {
        answer = tagged("\"v1\"", "one");
        ClassLoader application = new ClassLoader(getClass().getClassLoader()) {};
        Thread caller = new Thread(() -> {
            try {
                source.retrieve(null);
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        caller.setContextClassLoader(application);
        caller.start();
        caller.join();
        source.close();

        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getContextClassLoader() == application);
        assertThatThrownBy(() -> source.retrieve(null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the source is closed");
    }

    private void refused(int status, String message) {
        answer = exchange -> exchange.sendResponseHeaders(status, -1);
        assertThatThrownBy(() -> source.retrieve(null))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(url() + ": " + message);
    }

    private void raw(String response) throws IOException, InterruptedException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            threads.execute(() -> {
                try (Socket connection = socket.accept()) {
                    InputStream in = connection.getInputStream();
                    in.read(new byte[4096]);
                    connection.getOutputStream().write(response.getBytes(UTF_8));
                    connection.getOutputStream().flush();
                    connection.shutdownOutput();
                    in.readAllBytes();
                } catch (IOException e) {
                    // The client hung up, which is what it should do.
                    return;
                }
            });
            RulesSource raw = RulesSources.of("http://127.0.0.1:" + socket.getLocalPort() + "/rules", settings());
            try (raw) {
                raw.retrieve(null);
            }
        }
    }

    private static Answer tagged(String tag, String content) {
        return exchange -> {
            exchange.getResponseHeaders().set("ETag", tag);
            send(exchange, 200, content);
        };
    }

    private static Answer published(String version, String content) {
        return exchange -> {
            exchange.getResponseHeaders().set("RateLimit-Rules", version);
            send(exchange, 200, content);
        };
    }

    private static Answer digested(String digest) {
        return exchange -> {
            exchange.getResponseHeaders().set("Repr-Digest", digest);
            send(exchange, 200, "one");
        };
    }

    private static Answer dated(String modified) {
        return exchange -> {
            exchange.getResponseHeaders().set("Last-Modified", modified);
            send(exchange, 200, "one");
        };
    }

    private static void send(HttpExchange exchange, int status, String content) throws IOException {
        byte[] bytes = content.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /** Writes up to 64 MiB, or until the client hangs up. */
    private static void flood(OutputStream out) {
        byte[] block = new byte[64 << 10];
        try {
            for (int i = 0; i < 1024; i++) {
                out.write(block);
            }
        } catch (IOException e) {
            return;
        }
    }

    private void awaitEnd() {
        try {
            over.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static RulesDocument document(String tag) {
        return new RulesDocument("http://rules", new byte[0], tag, 1);
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/rules";
    }

    private static RulesSource impatient(String url) {
        return RulesSources.of(
                url,
                new RulesSourceSettings(
                        null,
                        null,
                        Duration.ofSeconds(2),
                        Duration.ofMillis(200),
                        true,
                        HostName.of("app-3"),
                        TimeSource.system()));
    }

    private static RulesSourceSettings settings() {
        TimeSource time = new TimeSource() {
            @Override
            public long nanoTime() {
                return 0;
            }

            @Override
            public long currentTimeMillis() {
                return NOW;
            }
        };
        return new RulesSourceSettings(
                null, null, Duration.ofSeconds(2), Duration.ofSeconds(10), true, HostName.of("app-3"), time);
    }

    private interface Answer {
        void give(HttpExchange exchange) throws IOException;
    }
}
