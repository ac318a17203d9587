package io.ratelimit.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import com.sun.net.httpserver.HttpServer;
import io.ratelimit.server.process.ServerProcess.Refusal;
import io.ratelimit.server.web.FreePort;
import io.ratelimit.server.web.RawConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What whoever starts a daemon reads where something is wrong. */
@Tag("cluster")
class DaemonStartIT {

    private static final String RULES = """
            service: shop
            rules:
              - { name: everyone, match: { path: /api }, key: user, limits: 2/d }
            """;

    @TempDir
    private Path directory;

    private Path rules;

    @BeforeEach
    void write() throws IOException {
        rules = Files.writeString(directory.resolve("rules.yaml"), RULES);
        Files.writeString(directory.resolve("short"), "s3cr3t\n");
    }

    @Test
    void noSecretIsRepeated() throws Exception {
        Refusal refusal = ServerProcess.refusedDaemon(directory, "--rules", "rules.yaml", "--token-file", "short");
        assertThat(refusal.status()).isEqualTo(2);
        assertThat(refusal.message()).contains("line 1 of short is no token").doesNotContain("s3cr3t");
    }

    @Test
    void aPortIsNotTakenFromAnotherProcessAndNoClusterIsJoinedForIt() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(other.getLocalPort());
            Refusal refusal = ServerProcess.refusedDaemon(
                    directory, "--rules", "rules.yaml", "--cluster", "nobody", "--port", port);
            assertThat(refusal.status()).isEqualTo(2);
            assertThat(refusal.message().lines())
                    .singleElement()
                    .asString()
                    .contains("cannot listen on 127.0.0.1 port " + port
                            + " (Address already in use): stop what listens there,");
        }
    }

    @Test
    void theSocketOfAKilledDaemonIsNotInTheWay() throws Exception {
        Path path = directory.resolve("socket");
        try (ServerProcess daemon = ready("--unix-socket", "socket")) {
            daemon.kill();
            assertThat(path).exists();
        }
        try (ServerProcess again = ready("--unix-socket", "socket")) {
            assertThat(again.stop()).isEqualTo(143);
            assertThat(path).doesNotExist();
        }
    }

    private ServerProcess ready(String... flags) throws IOException {
        List<String> all = new ArrayList<>(List.of("--rules", "rules.yaml"));
        all.addAll(Arrays.asList(flags));
        return ServerProcess.daemon(directory, all.toArray(String[]::new));
    }

    @Test
    void withoutRulesItStartsAndSaysSoAndIsReadyWhenThereAreSome() throws Exception {
        Files.delete(rules);
        try (ServerProcess daemon = ready();
                Caller caller = new Caller(daemon.url(), Duration.ofSeconds(10))) {
            requireNoLimits(daemon, caller);
            assertThat(daemon.log())
                    .contains("rules.yaml: does not exist: create the file, or correct the location of the rules")
                    .contains("This host starts WITHOUT RATE LIMITS and is not ready");

            Files.writeString(rules, "service: shop\nrulez: []\n");
            Awaitility.await().until(() -> daemon.log().contains("did you mean 'rules'?"));
            requireNoLimits(daemon, caller);

            Files.writeString(rules, RULES);
            requireLimits(daemon, caller);
            assertThat(daemon.log()).containsPattern("Rules in force: version [0-9]+ of service shop from .*, 1 rules");
        }
    }

    @Test
    void withInvalidRulesItStartsAndSaysSoAndIsReadyWhenTheyAreMended() throws Exception {
        Files.writeString(rules, "service: [");
        try (ServerProcess daemon = ready();
                Caller caller = new Caller(daemon.url(), Duration.ofSeconds(10))) {
            requireNoLimits(daemon, caller);
            assertThat(daemon.log())
                    .contains("rules.yaml:1:11: the document is not YAML")
                    .contains("This host starts WITHOUT RATE LIMITS and is not ready");

            Files.writeString(rules, RULES);
            requireLimits(daemon, caller);
        }
    }

    @Test
    void whatCallersSendThatCannotBeReadIsNoLineOfTheLogEach() throws Exception {
        try (ServerProcess daemon = ready()) {
            String before = daemon.log();
            for (String request : List.of(
                    "GET /health HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
                    "CONNECT /v1/auth HTTP/1.1\r\nHost: x\r\n\r\n",
                    "\u0000\r\n\r\n")) {
                assertThat(RawConnection.exchange(daemon.port(), request)).startsWith("HTTP/1.1 400 ");
            }
            assertThat(daemon.log()).isEqualTo(before);
        }
    }

    @Test
    void livesWhileItStartsAndIsReadyWhenItSaysSo() throws Exception {
        CountDownLatch coming = new CountDownLatch(1);
        HttpServer source = slowRules(coming);
        int port = FreePort.find();
        URI url = URI.create("http://127.0.0.1:" + port);
        String place = "http://127.0.0.1:" + source.getAddress().getPort() + "/";
        String kept = "lastGoodFile=" + directory.resolve("kept");
        CompletableFuture<ServerProcess> started = CompletableFuture.supplyAsync(() -> {
            try {
                return ServerProcess.daemonAt(
                        port, directory, "--rules", place, "--set", kept, "--unix-socket", "socket");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try {
            Awaitility.await().ignoreExceptions().until(() -> status(url, "/health") == 200);
            assertThat(status(url, "/ready")).isEqualTo(503);
            assertThat(status(url, "/v1/auth")).isEqualTo(503);
            assertThat(directory.resolve("socket")).doesNotExist();
            assertThat(started).isNotDone();

            coming.countDown();
            started.get();

            assertThat(status(url, "/ready")).isEqualTo(200);
            assertThat(status(url, "/v1/auth")).isEqualTo(204);
            assertThat(directory.resolve("socket")).exists();
        } finally {
            coming.countDown();
            started.get().close();
            source.stop(0);
        }
    }

    @Test
    void toldToEndWhileItStartsItAnswersWhoAsksAndEnds() throws Exception {
        CountDownLatch coming = new CountDownLatch(1);
        HttpServer source = slowRules(coming);
        int port = FreePort.find();
        Process daemon = ServerProcess.startingDaemon(
                directory,
                "--port",
                Integer.toString(port),
                "--rules",
                "http://127.0.0.1:" + source.getAddress().getPort() + "/",
                "--set",
                "lastGoodFile=" + directory.resolve("kept"));
        try {
            URI url = URI.create("http://127.0.0.1:" + port);
            Awaitility.await().ignoreExceptions().until(() -> status(url, "/health") == 200);
            try (RawConnection kept = new RawConnection(port)) {
                String question = "GET /v1/auth HTTP/1.1\r\nHost: localhost\r\n\r\n";
                kept.send(question);
                assertThat(kept.answer()).startsWith("HTTP/1.1 503 ");

                // Unlike the process, its handle leaves open what it has said.
                daemon.toHandle().destroy();
                String answer;
                do {
                    kept.send(question);
                    answer = kept.answer();
                    assertThat(answer).startsWith("HTTP/1.1 503 ");
                } while (!answer.contains("Connection: close"));
            }
            assertThat(daemon.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(daemon.exitValue()).isEqualTo(143);
            assertThat(daemon.getInputStream().readAllBytes()).isEmpty();
        } finally {
            coming.countDown();
            daemon.destroyForcibly().waitFor();
            source.stop(0);
        }
    }

    private static HttpServer slowRules(CountDownLatch coming) throws IOException {
        HttpServer source = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        source.createContext("/", exchange -> {
            Uninterruptibles.awaitUninterruptibly(coming, Duration.ofSeconds(20));
            byte[] text = RULES.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        source.start();
        return source;
    }

    private static void requireNoLimits(ServerProcess daemon, Caller caller) throws Exception {
        assertThat(status(daemon, "/health")).isEqualTo(200);
        assertThat(status(daemon, "/ready")).isEqualTo(503);
        for (int i = 0; i < 3; i++) {
            assertThat(caller.decide("/api", "alice").get("reason").asText()).isEqualTo("NO_LIMIT");
        }
    }

    private static void requireLimits(ServerProcess daemon, Caller caller) throws Exception {
        Awaitility.await().until(() -> status(daemon, "/ready") == 200);
        assertThat(caller.decide("/api", "alice").get("allowed").asBoolean()).isTrue();
        assertThat(caller.decide("/api", "alice").get("allowed").asBoolean()).isTrue();
        assertThat(caller.decide("/api", "alice").get("allowed").asBoolean()).isFalse();
    }

    private static int status(ServerProcess daemon, String path) throws Exception {
        return status(daemon.url(), path);
    }

    private static int status(URI url, String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(url.resolve(path)).build(), BodyHandlers.discarding())
                .statusCode();
    }
}
