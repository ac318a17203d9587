package io.ratelimit.sample;

import static io.ratelimit.sample.Caller.key;
import static io.ratelimit.sample.Caller.login;
import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.sample.Caller.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrdersApiIT {

    @TempDir
    private static Path directory;

    private static SampleProcess sample;
    private static String url;

    private final Caller caller = new Caller();

    @BeforeAll
    static void start() {
        RulesFile rules = new RulesFile(
                directory,
                "- name: everyone",
                "  match: { path: [/api/orders/**, /api/reports/**] }",
                "  limits: 40/h",
                "  overrides:",
                "    - { when: { attributes: { tier: gold } }, limits: 400/h }",
                "- { name: hello, match: { path: /hello }, limits: 3/h }");
        sample = SampleProcess.start(
                        "--host-only", "--port", "" + FreePorts.consecutive(1), "--rules", rules.toString())
                .awaitReady();
        url = sample.url();
    }

    @AfterAll
    static void stop() {
        sample.close();
    }

    @Test
    void listingCostsOneAndReportingFiveOfTheSameBucket() {
        assertThat(caller.get(url + "/api/orders", key("cost")).remaining()).isEqualTo(39);
        Answer report = caller.get(url + "/api/reports", key("cost"));
        assertThat(report.isPassed()).isTrue();
        assertThat(report.remaining()).isEqualTo(34);
        assertThat(caller.get(url + "/api/orders", key("cost")).remaining()).isEqualTo(33);
    }

    @Test
    void prometheusIsToldOfDecisionsByRuleAndNode() {
        caller.get(url + "/api/orders", key("metered"));
        Answer answer = caller.get(url + "/metrics");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.response().headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain"));
        String node = "node=\"" + url.substring(url.lastIndexOf(':') + 1) + "\"";
        assertThat(answer.body())
                .contains("ratelimit_decisions_total{" + node + ",outcome=\"allowed\",rule=\"everyone\"} ")
                .contains("ratelimit_rules_version{" + node + "} ")
                .doesNotContain("metered");
    }

    @Test
    void whoSitsAtTheMachineIsToldHowThingsStand() {
        assertThat(caller.get(url + "/ratelimit/status").body()).contains("\"ready\":true");
        assertThat(caller.get(url + "/ratelimit/explain?request=GET+/hello+ip=192.0.2.7")
                        .body())
                .contains("\"outcome\":\"passes, within all limits\"");
    }

    @Test
    void anOrderCostsTwoAndComesBackAsItWasSent() {
        String order = "{ \"item\": \"r\u00f6stkaffee\",\"quantity\":1.50 }";
        Answer answer =
                caller.post(url + "/api/orders", order, "X-Api-Key", "post", "Content-Type", "application/json");
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.body()).isEqualTo(order);
        assertThat(answer.response().headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(answer.remaining()).isEqualTo(38);
    }

    @Test
    void exportsAreLimitedByTheirAnnotationAlone() {
        for (int left = 2; left >= 0; left--) {
            Answer answer = caller.get(url + "/api/exports", key("export"));
            assertThat(answer.isPassed()).isTrue();
            assertThat(answer.remaining()).isEqualTo(left);
        }
        Answer refused = caller.get(url + "/api/exports", key("export"));
        assertThat(refused.isRefused()).isTrue();
        assertThat(refused.number("Retry-After")).isBetween(1L, 20L);
        assertThat(caller.get(url + "/api/orders", key("export")).remaining()).isEqualTo(39);
    }

    @Test
    void aUserIsTheClientWhateverElseTheRequestHas() {
        String[] alice = login("alice", "alice");
        assertThat(caller.get(url + "/api/orders", alice).remaining()).isEqualTo(39);
        assertThat(caller.get(url + "/api/orders", alice[0], alice[1], "X-Api-Key", "any")
                        .remaining())
                .isEqualTo(38);
        assertThat(caller.get(url + "/api/orders", login("bob", "bob")).remaining())
                .isEqualTo(39);
    }

    @Test
    void goldHasMore() {
        assertThat(caller.get(url + "/api/orders", login("carol", "carol")).limit())
                .isEqualTo(400);
    }

    @Test
    void aWrongPasswordIsRefusedBeforeTheLimiterSeesIt() {
        for (String[] wrong : new String[][] {login("alice", "wrong"), login("nobody", "nobody"), login("", "")}) {
            Answer answer = caller.get(url + "/hello", wrong);
            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.response().headers().firstValue("WWW-Authenticate"))
                    .isPresent();
            assertThat(answer.isLimited()).isFalse();
        }
        assertThat(caller.get(url + "/hello", "Authorization", "Basic %%%").status())
                .isEqualTo(401);
    }

    @Test
    void aPlainServletIsLimitedAndHealthIsNot() {
        for (int i = 0; i < 3; i++) {
            assertThat(caller.get(url + "/hello", key("hello")).isPassed()).isTrue();
        }
        assertThat(caller.get(url + "/hello", key("hello")).isRefused()).isTrue();
        for (int i = 0; i < 20; i++) {
            Answer health = caller.get(url + "/health", key("hello"));
            assertThat(health.isPassed()).isTrue();
            assertThat(health.isLimited()).isFalse();
        }
    }

    @Test
    void nobodyIsBelievedWhoTheyForwardFor() {
        for (int i = 0; i < 3; i++) {
            caller.get(url + "/hello", "X-Forwarded-For", "198.51.100." + i);
        }
        assertThat(caller.get(url + "/hello", "X-Forwarded-For", "198.51.100.9").isRefused())
                .isTrue();
    }

    @Test
    void theDefaultRulesLimitOrdersAndNotExports() {
        try (SampleProcess defaults = SampleProcess.start("--host-only", "--port", "" + FreePorts.consecutive(1))
                .awaitReady()) {
            assertThat(defaults.complaints("")).isEmpty();
            Answer orders = caller.get(defaults.url() + "/api/orders");
            assertThat(orders.limit()).isEqualTo(10);
            assertThat(orders.remaining()).isEqualTo(9);
            assertThat(caller.get(defaults.url() + "/api/orders", login("carol", "carol"))
                            .limit())
                    .isEqualTo(100);
            assertThat(caller.get(defaults.url() + "/hello").limit()).isEqualTo(5);
            assertThat(caller.get(defaults.url() + "/api/exports").limit()).isEqualTo(3);
            assertThat(caller.get(defaults.url() + "/").status()).isGreaterThanOrEqualTo(400);
        }
    }
}
