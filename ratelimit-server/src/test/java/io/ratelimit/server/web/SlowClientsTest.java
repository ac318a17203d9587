package io.ratelimit.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.server.database.DatabaseSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that send and read as slowly as they can. */
class SlowClientsTest {

    private static final String RULES = "service: orders\nrules:\n  - { name: everyone, limits: 10/s }\n";
    private static final int SLOW = 300;

    @Test
    void keepNobodyElseWaiting() throws Exception {
        try (RunningService service = RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:slow", null, null))) {
            service.publish("orders", RULES);
            requirePromptBeside(service, SlowClientsTest::half);
        }
    }

    @Test
    void keepNobodyElseWaitingThoughTheyHaveAToken() throws Exception {
        try (RunningService service =
                RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:slow-hosts", null, null))) {
            service.publish("orders", RULES);
            String token = service.token("host", "host", "orders");
            String report = "POST /v1/services/orders/reports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token
                    + "\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{\"host\": \"a";
            requirePromptBeside(service, which -> report);
        }
    }

    /** Others are answered while requests have begun that do not go on. */
    private static void requirePromptBeside(RunningService service, IntFunction<String> begun) throws IOException {
        List<RawConnection> slow = new ArrayList<>();
        try {
            for (int i = 0; i < SLOW; i++) {
                RawConnection connection = new RawConnection(service.uri("/").getPort());
                slow.add(connection);
                connection.send(begun.apply(i));
            }
            long begin = System.nanoTime();
            for (int i = 0; i < 50; i++) {
                assertThat(service.get("/v1/services/orders/rules", service.admin())
                                .status())
                        .isEqualTo(200);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
        } finally {
            for (RawConnection connection : slow) {
                connection.close();
            }
        }
    }

    /** Half a request: of its head, of a body without a token, of a page, of a body with a token. */
    private static String half(int which) {
        return switch (which % 4) {
            case 0 -> "GET /v1/services/orders/rules HTTP/1.1\r\nHost: x\r\nX-Slow: ";
            case 1 -> "PUT /v1/services/orders/rules HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nservi";
            case 2 ->
                "HEAD /services/orders HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\nContent-Type:"
                        + " application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\ntext";
            default ->
                "PUT /v1/services/orders/rules HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer rlt_nobody"
                        + "\r\nContent-Length: 1000\r\n\r\nservi";
        };
    }

    @Test
    void areCutOffWhileTheySendABody() throws Exception {
        try (RunningService service =
                        RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:slow-body", null, null));
                RawConnection connection = new RawConnection(service.uri("/").getPort())) {
            connection.send("PUT /v1/services/orders/rules HTTP/1.1\r\nHost: x\r\nIf-Match: *\r\nAuthorization: Bearer "
                    + service.admin() + "\r\nContent-Length: 100000\r\n\r\n");

            assertThat(connection.drip("#")).isLessThan(Duration.ofSeconds(10));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "401, PUT /v1/services/orders/rules, text/plain, 300000",
        "303, POST /services/orders/review, application/x-www-form-urlencoded, 300000",
        "413, PUT /v1/services/orders/rules, text/plain, 20000000"
    })
    void readAnAnswerThatTheyGotBeforeTheyHadSentAll(int status, String asked, String type, int bytes)
            throws Exception {
        try (RunningService service = RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:early", null, null));
                RawConnection connection = new RawConnection(service.uri("/").getPort())) {
            connection.send(asked + " HTTP/1.1\r\nHost: x\r\nContent-Type: " + type + "\r\nContent-Length: "
                    + (1 + bytes) + "\r\n\r\n#");
            String answer = connection.answer();
            connection.send("#".repeat(bytes / 2));
            connection.send("#".repeat(bytes / 2));

            assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
            // The connection is as good as new.
            connection.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(connection.answer()).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void whoWereAskedForABodyReadTheAnswerThatCutsItShort() throws Exception {
        try (RunningService service = RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:asked", null, null));
                RawConnection connection = new RawConnection(service.uri("/").getPort())) {
            service.publish("orders", RULES);
            connection.send("POST /v1/services/orders/reports HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
                    + "Content-Type: application/json\r\nAuthorization: Bearer "
                    + service.token("host", "host", "orders") + "\r\nContent-Length: 5000000\r\n\r\n");
            assertThat(connection.answer()).startsWith("HTTP/1.1 100 ");
            connection.send("#".repeat(2_000_000));
            assertThat(connection.answer()).startsWith("HTTP/1.1 400 ");
            connection.send("#".repeat(3_000_000));
            connection.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(connection.answer()).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void areCutOffWhereTheySendWithoutAnEndAfterTheirAnswer() throws Exception {
        try (RunningService service =
                        RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:endless", null, null));
                RawConnection connection = new RawConnection(service.uri("/").getPort())) {
            connection.send("PUT /v1/services/orders/rules HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n");

            assertThat(connection.answer()).startsWith("HTTP/1.1 413 ");
            String much = "#".repeat(10_000_000);
            connection.send(much);
            connection.send(much);
            connection.send(much);
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 20; i++) {
                            connection.send(much);
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void whoWaitToBeAskedForABodyAreAnsweredAtOnce() throws Exception {
        try (RunningService service =
                RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:expect", null, null))) {
            assertThat(RawConnection.exchange(
                            service.uri("/").getPort(),
                            "PUT /v1/services/orders/rules HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
                                    + "Content-Length: 300000\r\n\r\n"))
                    .startsWith("HTTP/1.1 401 ");
        }
    }
}
