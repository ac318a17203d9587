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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The configuration of the manual in a real nginx, whose daemon does not answer as it should. */
@Tag("cluster")
class NginxAloneIT {

    private static final String RULES = """
            service: orders
            rules:
              - { name: api, match: { path: /api/** }, limits: 5 per 1h }
              - { name: blocked, match: { path: /blocked }, limits: "0" }
              - { name: busy, match: { path: /busy }, limits: 1000000/s }
            """;

    /** The configuration's 300 ms, and what a busy machine adds. */
    private static final Duration DEADLINE = Duration.ofMillis(900);

    @TempDir
    private Path directory;

    private EchoService service;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(NginxProcess.isInstalled(), "nginx is not installed");
        service = EchoService.start();
    }

    @AfterEach
    void stop() throws Exception {
        if (service != null) {
            service.close();
        }
    }

    private NginxProcess nginx(int daemon) throws IOException {
        return NginxProcess.start(directory, Configuration.ofManual(service.port(), daemon));
    }

    @Test
    void requestsPassWhileTheDaemonIsKilledAndLimitsHoldAgainWhenItIsBack() throws Exception {
        try (ServerProcess daemon = ServerProcess.daemonWithTokens(directory, RULES);
                NginxProcess nginx = nginx(daemon.port())) {
            awaitDecisions(nginx);
            try (Traffic traffic = new Traffic(nginx)) {
                traffic.goOn(Duration.ofMillis(500));
                daemon.kill();
                traffic.goOn(Duration.ofSeconds(2));
                assertThat(nginx.from("127.0.0.1").get("/busy").isDecided()).isFalse();
                daemon.restart();
                awaitDecisions(nginx);
                traffic.requireAllHavePassedInTime();
            }
            requireExactLimit(nginx, "127.0.2.1");
        }
    }

    @Test
    void requestsPassInTimeWhileTheDaemonIsFrozenAndSoonAtOnce() throws Exception {
        try (ServerProcess daemon = ServerProcess.daemonWithTokens(directory, RULES);
                NginxProcess nginx = nginx(daemon.port())) {
            awaitDecisions(nginx);
            try (Traffic traffic = new Traffic(nginx)) {
                traffic.goOn(Duration.ofMillis(500));
                daemon.freeze();
                traffic.goOn(Duration.ofSeconds(1));
                List<Reply> later = traffic.goOn(Duration.ofSeconds(5));
                assertThat(later).noneMatch(Reply::isDecided);
                long waited = later.stream()
                        .filter(reply -> reply.time().toMillis() >= 250)
                        .count();
                assertThat(waited).as("of %d requests waited", later.size()).isLessThan(later.size() / 10);
                daemon.thaw();
                awaitDecisions(nginx);
                traffic.requireAllHavePassedInTime();
            }
            requireExactLimit(nginx, "127.0.2.2");
        }
    }

    @Test
    void requestsPassWhereTheTokenIsWrong() throws Exception {
        try (ServerProcess daemon = ServerProcess.daemonWithTokens(directory, RULES);
                NginxProcess nginx = NginxProcess.start(
                        directory,
                        Configuration.ofManual(service.port(), daemon.port())
                                .with(ServerProcess.TOKEN, "another-token-altogether"))) {
            for (int i = 0; i < 10; i++) {
                Reply reply = nginx.from("127.0.2.3").get("/api/orders");
                assertThat(reply.status()).isEqualTo(200);
                assertThat(reply.isDecided()).isFalse();
            }
            assertThat(nginx.lastLog()).endsWith("ratelimit=\"401\"");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
                "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 403 Forbidden\r\nContent-Length: 5\r\n\r\nno!!!",
                "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 418 Teapot\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 500 Failed\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 503 Busy\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 204 No",
                ""
            })
    void requestsPassWhereNonsenseIsAnswered(String answer) throws Exception {
        try (NonsenseServer nonsense = NonsenseServer.saying(answer);
                NginxProcess nginx = nginx(nonsense.port())) {
            for (int i = 0; i < 6; i++) {
                Reply reply = nginx.from("127.0.2.4").get("/api/orders");
                assertThat(reply.status()).isEqualTo(200);
                assertThat(reply.body()).isEqualTo("GET /api/orders 0");
                assertThat(reply.fields()).doesNotContainKeys("Retry-After", "WWW-Authenticate", "Location");
                assertThat(reply.time()).isLessThan(DEADLINE);
            }
        }
    }

    @Test
    void requestsPassWhereAnAnswersHeaderIsTooLarge() throws Exception {
        requestsPassWhereNonsenseIsAnswered("HTTP/1.1 403 No\r\nX-RateLimit-Status: 429\r\nX-Large: "
                + "a".repeat(20_000) + "\r\nContent-Length: 0\r\n\r\n");
    }

    /** A daemon that has just started is slower than nginx waits, with its first refusals as well. */
    private static void awaitDecisions(NginxProcess nginx) {
        Visit visit = nginx.from("127.0.0.1");
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            for (int i = 0; i < 50; i++) {
                if (!visit.get("/busy").isDecided() || visit.get("/blocked").status() != 429) {
                    return false;
                }
            }
            return true;
        });
    }

    private static void requireExactLimit(NginxProcess nginx, String address) throws IOException {
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            statuses.add(nginx.from(address).get("/api/orders").status());
        }
        assertThat(statuses).containsExactly(200, 200, 200, 200, 200, 429, 429);
    }

    /** Four clients who ask without a pause. */
    private static final class Traffic implements AutoCloseable {

        private final Queue<Reply> replies = new ConcurrentLinkedQueue<>();
        private final Queue<IOException> failures = new ConcurrentLinkedQueue<>();
        private final List<Thread> threads = new ArrayList<>();
        private volatile boolean ended;

        Traffic(NginxProcess nginx) {
            for (int i = 0; i < 4; i++) {
                Thread thread = new Thread(() -> ask(nginx.from("127.0.0.1")));
                threads.add(thread);
                thread.start();
            }
        }

        private void ask(Visit visit) {
            while (!ended) {
                try {
                    replies.add(visit.get("/busy"));
                    Thread.sleep(5);
                } catch (IOException e) {
                    failures.add(e);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }

        /** Lets it go on for a while, and gives back what was answered in the meantime. */
        List<Reply> goOn(Duration time) throws InterruptedException {
            int before = replies.size();
            Thread.sleep(time.toMillis());
            return replies.stream().skip(before).toList();
        }

        void requireAllHavePassedInTime() {
            assertThat(failures).isEmpty();
            assertThat(replies).allMatch(reply -> reply.status() == 200);
            assertThat(replies).extracting(Reply::time).allMatch(time -> time.compareTo(DEADLINE) < 0);
        }

        @Override
        public void close() throws InterruptedException {
            ended = true;
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }
}
