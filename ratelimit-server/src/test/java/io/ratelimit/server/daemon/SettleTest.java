package io.ratelimit.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettleTest {

    private static final String RULES = """
            service: shop
            rules:
              - name: all
                key: user
                limits: [10/h]
              - name: log-in
                key: user
                match: { path: /log-in }
                charge: { when: response, status: [401] }
                limits: [2/h]
              - name: slow
                key: user
                match: { path: /slow }
                sharing: host
                limits: [{ tokens: 1, algorithm: concurrency }]
            """;

    private static final AtomicInteger USERS = new AtomicInteger();

    @TempDir
    private static Path directory;

    private static RunningDaemon daemon;

    /** Whom nobody has seen. */
    private final String user = "user-" + USERS.incrementAndGet();

    @BeforeAll
    static void start() {
        daemon = RunningDaemon.start(directory, RULES, RunningDaemon.OPEN, Duration.ofMinutes(1));
    }

    @AfterAll
    static void stop() {
        daemon.close();
    }

    /** Asks for this test's user. */
    private JsonNode decide(String question) throws Exception {
        return daemon.decide("{\"user\":\"" + user + "\"," + question.substring(1));
    }

    private String receipt(String question) throws Exception {
        return decide(question).get("receipt").asText();
    }

    private long left() throws Exception {
        return decide("{\"look\":true}").at("/limits/0/remaining").asLong();
    }

    private boolean settle(String receipt, String how) throws Exception {
        return daemon.settle("{\"receipt\":\"" + receipt + "\"," + how + "}")
                .get("settled")
                .asBoolean();
    }

    @Test
    void whatIsGivenBackIsThereAgainAndOnlyOnce() throws Exception {
        String receipt = receipt("{\"cost\":4,\"settle\":true}");
        assertThat(left()).isEqualTo(6);

        assertThat(settle(receipt, "\"outcome\":\"refund\"")).isTrue();
        assertThat(left()).isEqualTo(10);
        assertThat(settle(receipt, "\"outcome\":\"refund\"")).isFalse();
        assertThat(left()).isEqualTo(10);
    }

    @Test
    void whatItReallyCostIsChargedInstead() throws Exception {
        assertThat(settle(receipt("{\"cost\":4,\"settle\":true}"), "\"outcome\":\"confirm\",\"cost\":1"))
                .isTrue();
        assertThat(left()).isEqualTo(9);
        assertThat(settle(receipt("{\"cost\":1,\"settle\":true}"), "\"outcome\":\"confirm\",\"cost\":3"))
                .isTrue();
        assertThat(left()).isEqualTo(6);
    }

    @Test
    void aRuleThatChargesByTheResponseGivesAReceiptUnasked() throws Exception {
        JsonNode passes = decide("{\"path\":\"/log-in\"}");

        assertThat(passes.get("mustBeSettled").asBoolean()).isTrue();
        assertThat(settle(passes.get("receipt").asText(), "\"outcome\":\"complete\",\"status\":200"))
                .isTrue();
        assertThat(settle(receipt("{\"path\":\"/log-in\"}"), "\"outcome\":\"complete\",\"status\":401"))
                .isTrue();
        assertThat(decide("{\"path\":\"/log-in\",\"look\":true}")
                        .at("/limits/1/remaining")
                        .asLong())
                .isEqualTo(1);
    }

    @Test
    void aBatchIsSettledInOrder() throws Exception {
        String one = receipt("{\"settle\":true}");
        String other = receipt("{\"settle\":true}");

        assertThat(daemon.settle("{\"settlements\":[{\"receipt\":\"" + one + "\",\"outcome\":\"refund\"},"
                                + "{\"receipt\":\"nobody's\",\"outcome\":\"refund\"},"
                                + "{\"receipt\":\"" + other + "\",\"outcome\":\"confirm\"}]}")
                        .toString())
                .isEqualTo("{\"settled\":[true,false,true]}");
        assertThat(left()).isEqualTo(9);
    }

    @Test
    void whoDoesNotComeBackInTimeHasLetTheChargesStandAndIsUnderWayNoMore(@TempDir Path other) throws Exception {
        try (RunningDaemon strict = RunningDaemon.start(other, RULES, RunningDaemon.OPEN, Duration.ofMillis(100))) {
            String receipt = strict.decide("{\"user\":\"alice\",\"path\":\"/slow\",\"cost\":1}")
                    .get("receipt")
                    .asText();

            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> strict.decide("{\"user\":\"alice\",\"path\":\"/slow\",\"look\":true}")
                            .get("allowed")
                            .asBoolean());
            assertThat(strict.settle("{\"receipt\":\"" + receipt + "\",\"outcome\":\"refund\"}")
                            .get("settled")
                            .asBoolean())
                    .isFalse();
            assertThat(strict.decide("{\"user\":\"alice\",\"look\":true}")
                            .at("/limits/0/remaining")
                            .asLong())
                    .isEqualTo(9);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"outcome\":\"refund\"} | 'receipt' is missing",
                "{\"receipt\":\"r\"} | 'outcome' is missing",
                "{\"receipt\":\"r\",\"outcome\":\"forget\"} | 'outcome' has a value of the wrong kind: it must be one of"
                        + " [confirm, refund, complete]",
                "{\"receipt\":\"r\",\"outcome\":\"complete\"} | 'status' must be the response's HTTP status",
                "{\"receipt\":\"r\",\"outcome\":\"complete\",\"status\":99} | 'status' must be the response's",
                "{\"receipt\":\"r\",\"outcome\":\"confirm\",\"cost\":-1} | 'cost' is -1: it must be 0 or more tokens",
            })
    void aSettlementThatIsNoneIsRefusedWithWhatWouldBeRight(String body, String why) throws Exception {
        assertThat(daemon.post("/v1/settle", body).body()).contains(why);
        assertThat(daemon.post("/v1/settle", body).statusCode()).isEqualTo(400);
    }
}
