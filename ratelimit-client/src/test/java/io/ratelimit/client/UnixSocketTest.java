package io.ratelimit.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.ratelimit.Decision.Reason;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnixSocketTest {

    private static final Duration DEADLINE = Duration.ofMillis(250);

    @TempDir
    Path directory;

    private Path socket;
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile Duration delay = Duration.ZERO;

    @BeforeEach
    void chooseSocket() {
        socket = directory.resolve("daemon.sock");
    }

    private Server daemon() throws Exception {
        Server server = new Server();
        UnixDomainServerConnector connector = new UnixDomainServerConnector(server);
        connector.setUnixDomainPath(socket);
        server.addConnector(connector);
        server.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                asked.add(request.getHeaders().get(HttpHeader.AUTHORIZATION) + " "
                        + Content.Source.asString(request, StandardCharsets.UTF_8));
                Thread.sleep(delay.toMillis());
                Content.Sink.write(response, true, StubDaemon.ALLOWED, callback);
                return true;
            }
        });
        server.start();
        return server;
    }

    private RemoteRateLimiter limiter() {
        return RemoteRateLimiter.of("unix:" + socket)
                .token("t1")
                .deadline(DEADLINE)
                .build();
    }

    @Test
    void asksByAUnixDomainSocket() throws Exception {
        Server daemon = daemon();
        try (RemoteRateLimiter limiter = limiter()) {
            assertThat(limiter.decide(Requests.get("/ü")).reason()).isEqualTo(Reason.NO_LIMIT);
            assertThat(asked).last().isEqualTo("Bearer t1 {\"method\":\"GET\",\"path\":\"/ü\",\"ip\":\"192.0.2.7\"}");
        } finally {
            daemon.stop();
        }
    }

    @Test
    void aRequestPassesWhereNobodyListensAndWhereTheAnswerIsLate() throws Exception {
        try (RemoteRateLimiter limiter = limiter()) {
            assertThat(limiter.decide(Requests.get("/")).reason()).isEqualTo(Reason.FAILURE);

            Server daemon = daemon();
            await().atMost(10, TimeUnit.SECONDS)
                    .until(() -> limiter.decide(Requests.get("/")).reason() == Reason.NO_LIMIT);
            delay = Duration.ofSeconds(1);
            long start = System.nanoTime();
            assertThat(limiter.decide(Requests.get("/")).reason()).isEqualTo(Reason.FAILURE);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(600));
            daemon.stop();
        }
    }

    @Test
    void anApplicationGoesOnApartFromTheThreadsOfConnections() throws Exception {
        Server daemon = daemon();
        try (RemoteRateLimiter limiter = limiter()) {
            delay = Duration.ofMillis(100);
            CompletableFuture<String> thread = limiter.decideAsync(Requests.get("/"))
                    .thenApply(decision -> Thread.currentThread().getName())
                    .toCompletableFuture();

            assertThat(thread.get(5, TimeUnit.SECONDS)).doesNotStartWith("ratelimit-http");
        } finally {
            daemon.stop();
        }
    }

    @Test
    void theNextDaemonIsAskedWhereTheSocketIsGone() throws Exception {
        Server daemon = daemon();
        try (StubDaemon second = new StubDaemon();
                RemoteRateLimiter limiter = RemoteRateLimiter.of("unix:" + socket, second.address())
                        .deadline(DEADLINE)
                        .build()) {
            limiter.decide(Requests.get("/"));
            daemon.stop();
            Files.deleteIfExists(socket);
            for (int i = 0; i < 3; i++) {
                limiter.decide(Requests.get("/"));
            }

            assertThat(second.asked("/v1/decide")).hasSizeGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void closingEndsItsThreads() throws Exception {
        Server daemon = daemon();
        RemoteRateLimiter limiter = limiter();
        limiter.decide(Requests.get("/"));
        assertThat(threads()).isNotEmpty().allMatch(Thread::isDaemon);
        limiter.close();

        await().untilAsserted(() -> assertThat(threads()).isEmpty());
        daemon.stop();
    }

    @Test
    void whatCannotBeBuiltLeavesNoThreads() {
        RemoteRateLimiterBuilder builder = RemoteRateLimiter.of("unix:" + socket, "http://127.0.0.1:1")
                .transports((address, trusted, mostCalls) -> {
                    if (address.socket() == null) {
                        throw new IllegalStateException("the second one cannot be opened");
                    }
                    return new JettyTransport(address, trusted, mostCalls);
                });

        assertThatThrownBy(builder::build).hasMessage("the second one cannot be opened");
        await().untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("ratelimit-http"))
                .toList();
    }
}
