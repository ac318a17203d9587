package io.ratelimit.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.ratelimit.core.http.HttpSettings;
import io.ratelimit.server.listen.Listening;
import io.ratelimit.server.web.FreePort;
import io.ratelimit.server.web.RawConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A daemon whose rules are slow to come. */
class StartingTest {

    private static final byte[] RULES =
            "service: shop\nrules:\n  - { name: all, key: service, limits: 1/h }\n".getBytes(StandardCharsets.UTF_8);

    private final CountDownLatch coming = new CountDownLatch(1);

    @TempDir
    private Path directory;

    private HttpServer rules;
    private int port;
    private CompletableFuture<RunningDaemon> daemon;
    private final CompletableFuture<Daemon> begun = new CompletableFuture<>();

    @BeforeEach
    void begin() throws IOException {
        rules = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        rules.createContext("/", exchange -> {
            try {
                coming.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.sendResponseHeaders(200, RULES.length);
            exchange.getResponseBody().write(RULES);
            exchange.close();
        });
        rules.start();
        port = FreePort.find();
        DaemonSettings settings = new DaemonSettings(
                new Listening("127.0.0.1", port, "--port", null),
                directory.resolve("socket"),
                null,
                RunningDaemon.OPEN,
                Map.of(
                        "rules",
                        "http://127.0.0.1:" + rules.getAddress().getPort() + "/",
                        "lastGoodFile",
                        directory.resolve("rules").toString()),
                HttpSettings.DEFAULT,
                Duration.ofMinutes(1));
        daemon = CompletableFuture.supplyAsync(() -> RunningDaemon.start(settings, begun::complete));
        Awaitility.await().ignoreExceptions().until(() -> get("/health").startsWith("HTTP/1.1 200 "));
    }

    @AfterEach
    void end() {
        coming.countDown();
        daemon.join().close();
        rules.stop(0);
    }

    private String get(String path) throws IOException {
        return RawConnection.exchange(
                port, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    }

    @Test
    void livesAndIsNotReadyAndDecidesNothing() throws Exception {
        assertThat(daemon).isNotDone();
        assertThat(get("/ready")).startsWith("HTTP/1.1 503 ").contains("{\"status\":\"starting\"}");
        for (String path : new String[] {"/v1/decide", "/v1/auth", "/v1/rules", "/v1/status", "/metrics", "/none"}) {
            assertThat(get(path))
                    .startsWith("HTTP/1.1 503 ")
                    .contains("Retry-After: 1\r\n", "the daemon is starting")
                    .doesNotContain("X-RateLimit-Status");
        }
        assertThat(Files.exists(directory.resolve("socket"))).isFalse();

        coming.countDown();
        daemon.join();

        assertThat(get("/ready")).startsWith("HTTP/1.1 200 ");
        assertThat(get("/v1/auth")).startsWith("HTTP/1.1 204 ");
        assertThat(get("/v1/auth")).startsWith("HTTP/1.1 403 ");
        assertThat(Files.exists(directory.resolve("socket"))).isTrue();
    }

    @Test
    void toldToEndItAnswersWhoAsksAndBreaksTheStartOff() throws Exception {
        String question = "GET /v1/auth HTTP/1.1\r\nHost: localhost\r\n\r\n";
        try (RawConnection kept = new RawConnection(port)) {
            kept.send(question);
            assertThat(kept.answer()).startsWith("HTTP/1.1 503 ").doesNotContain("Connection: close");

            CompletableFuture<Void> ended = CompletableFuture.runAsync(begun.join()::close);
            String answer;
            do {
                kept.send(question);
                answer = kept.answer();
                assertThat(answer).startsWith("HTTP/1.1 503 ").contains("Retry-After: 1\r\n");
            } while (!answer.contains("Connection: close"));
            ended.get(5, TimeUnit.SECONDS);
        }
        assertThat(daemon.get(1, TimeUnit.SECONDS).daemon().isLeaving()).isTrue();
        assertThat(daemon.join().daemon().isReady()).isFalse();
        assertThat(Files.exists(directory.resolve("socket"))).isFalse();
        try (ServerSocket freed = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(freed.isBound()).isTrue();
        }
    }

    @Test
    void aStepThatDoesNotHearOfItsEndIsTheLast() {
        Start start = new Start();
        List<String> taken = new ArrayList<>();
        boolean whole = start.run(
                () -> taken.add("first"),
                () -> {
                    start.breakOff();
                    taken.add("deaf");
                },
                () -> taken.add("next"));

        assertThat(whole).isFalse();
        assertThat(taken).containsExactly("first", "deaf");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void aFailureIsToldUnlessTheStartWasBrokenOff() {
        IllegalStateException failure = new IllegalStateException("no port");
        assertThatThrownBy(() -> new Start().run(() -> {
                    throw failure;
                }))
                .isSameAs(failure);
        Start brokenOff = new Start();
        assertThat(brokenOff.run(() -> {
                    brokenOff.breakOff();
                    throw failure;
                }))
                .isFalse();
    }
}
