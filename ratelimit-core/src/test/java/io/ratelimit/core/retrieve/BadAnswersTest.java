package io.ratelimit.core.retrieve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.ratelimit.RateLimitListener;
import io.ratelimit.TimeSource;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.rules.RuleSet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever a rules service answers, the rules in force stay, with one line in the log and the reason in the status. */
@Timeout(30)
class BadAnswersTest {

    private static final String GOOD = "service: orders\nrules: [{ name: all, limits: [3/h] }]\n";
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private final CapturedLog log = new CapturedLog(RetrieveRulesTask.class);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<RuleSet> enforced = new ArrayList<>();
    private final List<String> inForce = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private RetrieveRulesTask task;
    private volatile Bad bad;

    /** What can go wrong, and what the status says of it. */
    private enum Bad {
        TRUNCATED("the exchange failed", exchange -> {
            exchange.sendResponseHeaders(200, GOOD.length() + 10);
            exchange.getResponseBody().write(GOOD.getBytes(UTF_8));
            exchange.getResponseBody().flush();
        }),
        A_PAGE_OF_A_PORTAL("is no mapping", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            send(exchange, 200, "<!DOCTYPE html><html><body>Please log in</body></html>");
        }),
        A_PICTURE("the control character U+0089", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "image/png");
            send(exchange, 200, "\u0089PNG\r\n\u001a\n\0\0");
        }),
        EMPTY("the document is empty", exchange -> send(exchange, 200, " ")),
        HUGE("is larger than 4 MiB", exchange -> send(exchange, 200, "#".repeat(ContentLimit.BYTES + 1))),
        SLOW("no whole answer within 1000 ms", exchange -> {
            try {
                NEVER.await(4, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }),
        CHANGED_ON_THE_WAY("do not match their Repr-Digest", exchange -> {
            exchange.getResponseHeaders().set("Repr-Digest", "sha-256=:" + "A".repeat(43) + "=:");
            send(exchange, 200, GOOD.replace("3/h", "9/h"));
        }),
        LOCKED_OUT("answers status 401", exchange -> send(exchange, 401, "{}")),
        BROKEN("answers status 500", exchange -> send(exchange, 500, GOOD));

        private final String reason;
        private final Answer answer;

        Bad(String reason, Answer answer) {
            this.reason = reason;
            this.answer = answer;
        }
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            Bad now = bad;
            inForce.add(String.valueOf(exchange.getRequestHeaders().getFirst("RateLimit-In-Force")));
            if (now == null) {
                exchange.getResponseHeaders().set("ETag", "\"good\"");
                send(exchange, 200, GOOD);
            } else {
                now.answer.give(exchange);
            }
            exchange.close();
        });
        server.start();
        task = new RetrieveRulesTask(
                RulesSources.of(
                        "http://127.0.0.1:" + server.getAddress().getPort() + "/rules",
                        new RulesSourceSettings(
                                null,
                                null,
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(1),
                                true,
                                HostName.of("app-3"),
                                TimeSource.system())),
                new RulesParser()::parse,
                enforced::add,
                null,
                new RateLimitListener() {},
                TimeSource.system());
    }

    @AfterEach
    void stop() {
        task.close();
        server.stop(0);
        threads.shutdownNow();
        log.close();
    }

    @ParameterizedTest
    @EnumSource
    void theRulesInForceStayAndTheReasonIsToldOnce(Bad answer) {
        task.run();
        bad = answer;
        task.run();
        task.run();

        assertThat(enforced).hasSize(1);
        assertThat(log.warnings()).singleElement().asString().contains(answer.reason);
        assertThat(task.status().error()).contains(answer.reason);
        assertThat(task.status().ready()).isTrue();
        assertThat(inForce).containsExactly("null", "\"good\"", "\"good\"");
        bad = null;
        task.run();
        assertThat(task.status().error()).isNull();
        assertThat(enforced).hasSize(1);
    }

    private static void send(HttpExchange exchange, int status, String content) throws IOException {
        byte[] bytes = content.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private interface Answer {
        void give(HttpExchange exchange) throws IOException;
    }
}
