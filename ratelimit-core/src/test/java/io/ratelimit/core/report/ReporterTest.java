package io.ratelimit.core.report;

import static io.ratelimit.core.TestRequest.get;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ratelimit.ClientIdentifier;
import io.ratelimit.RateLimitListener;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.RulesText;
import io.ratelimit.core.match.RulesCache;
import io.ratelimit.core.retrieve.CapturedLog;
import io.ratelimit.core.retrieve.HostName;
import io.ratelimit.core.retrieve.ReportReceiver;
import io.ratelimit.core.retrieve.RetrieveRulesTask;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.rules.StorePolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReporterTest {

    private static final String RULES = """
            service: orders
            clients: [user, "header:X-Api-Key", ip]
            rules: [{ name: all, limits: [1/h] }]
            """;

    private final ManualTimeSource time = new ManualTimeSource();
    private final CapturedLog log = new CapturedLog(Reporter.class);
    private final Receiver receiver = new Receiver();
    private final RulesCache rules = new RulesCache(StorePolicy.UNSET, new RateLimitListener() {});
    private final RetrieveRulesTask retrieval = new RetrieveRulesTask(
            new RulesText(RULES), new RulesParser()::parse, rules::replace, null, new RateLimitListener() {}, time);
    private final DecisionCounts counts = new DecisionCounts(ReportDetail.ALL);
    private final ClientHash hash = new ClientHash("secret");
    private final RequestRecorder recorder = new RequestRecorder(rules::current, hash, time);
    private final Reporter reporter =
            new Reporter(receiver, retrieval, rules::current, counts, recorder, new ClientNames(hash), time);

    /** A service that answers as a test wants. */
    private static final class Receiver implements ReportReceiver {

        private final HostName host = HostName.of("app-3");
        private final List<byte[]> sent = new ArrayList<>();
        private @Nullable String location = "http://rules/reports";
        private int status = 204;
        private boolean away;

        @Override
        public HostName host() {
            return host;
        }

        @Override
        public @Nullable String location() {
            return location;
        }

        @Override
        public int send(byte[] json) throws IOException {
            if (away) {
                throw new IOException("gone");
            }
            sent.add(json);
            return status;
        }

        JsonNode last() {
            return ToldRequests.read(sent.get(sent.size() - 1));
        }
    }

    @AfterEach
    void end() {
        log.close();
    }

    private void decide(String path) {
        Decided decision = Decided.allows();
        RecordedRequest seen = recorder.look(get(path).user("alice"), decision);
        if (seen != null) {
            recorder.record(seen, decision);
        }
    }

    @Test
    void aReportSaysHowThingsStandAndWhatWasDecidedSinceTheLastOne() throws Exception {
        retrieval.run();
        long begin = time.currentTimeMillis();
        reporter.listen();
        try (RateLimitEngine engine = RateLimitEngine.builder()
                .rules(new RulesText(RULES))
                .listener(counts)
                .timeSource(time)
                .build()) {
            engine.start();
            for (int i = 0; i < 3; i++) {
                engine.limiter().decide(get("/").user("alice"));
                engine.limiter().decide(get("/").header("X-Api-Key", "s3cret"));
            }
        }
        decide("/orders");
        time.advance(Duration.ofSeconds(5));
        reporter.report();

        JsonNode report = receiver.last();
        assertThat(report.get("host").asText()).startsWith("app-3/");
        assertThat(report.get("tag").asText()).isEqualTo("tag");
        assertThat(report.get("origin").asText()).isEqualTo("SOURCE");
        assertThat(report.get("since").asLong()).isEqualTo(begin);
        assertThat(report.get("error").isNull()).isTrue();
        assertThat(report.get("from").asLong()).isEqualTo(begin);
        assertThat(report.get("to").asLong()).isEqualTo(begin + 5_000);
        assertThat(report.get("rules").toString())
                .isEqualTo("[{\"rule\":\"all\",\"allowed\":2,\"refused\":4,\"shadow\":0}]");
        String key = hash.of("orders", "header:x-api-key", "s3cret");
        assertThat(report.get("refusedClients").valueStream().map(JsonNode::toString))
                .containsExactlyInAnyOrder(
                        "{\"rule\":\"all\",\"client\":\"user=alice\",\"refused\":2}",
                        "{\"rule\":\"all\",\"client\":\"header:x-api-key=" + key + "\",\"refused\":2}");
        assertThat(report.get("share").asDouble()).isEqualTo(1);
        assertThat(report.at("/requests/0/path").asText()).isEqualTo("/orders");

        reporter.report();
        assertThat(receiver.last().get("from").asLong()).isEqualTo(begin + 5_000);
        assertThat(receiver.last().get("rules")).isEmpty();
        assertThat(receiver.last().get("requests")).isEmpty();
    }

    @Test
    void whatCannotBeSentIsDroppedAndBothBeginAndEndAreOneLine() throws Exception {
        retrieval.run();
        reporter.report();
        receiver.away = true;
        for (int i = 0; i < 3; i++) {
            decide("/dropped");
            reporter.report();
        }
        receiver.away = false;
        receiver.status = 503;
        reporter.report();
        assertThat(log.warnings())
                .containsExactly("Reports cannot be sent to http://rules/reports and are dropped, trying on: gone");

        receiver.status = 204;
        decide("/sent");
        reporter.report();
        reporter.report();
        assertThat(receiver.sent).noneMatch(json -> new String(json, US_ASCII).contains("/dropped"));
        assertThat(receiver.sent)
                .filteredOn(json -> new String(json, US_ASCII).contains("/sent"))
                .hasSize(1);
        assertThat(log.infos())
                .containsExactly(
                        "What rules decide is reported to http://rules/reports, requests included",
                        "Reports are sent again to http://rules/reports");
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404, 410})
    void aServiceThatRefusesIsLeftAloneForFiveMinutes(int status) throws Exception {
        retrieval.run();
        receiver.status = status;
        reporter.report();
        time.advance(Duration.ofSeconds(299));
        reporter.report();
        assertThat(receiver.sent).hasSize(1);
        assertThat(recorder.look(get("/").user("alice"), null)).isNull();

        time.advance(Duration.ofSeconds(1));
        reporter.report();
        assertThat(receiver.sent).hasSize(2);
        assertThat(log.warnings())
                .containsExactly("Reports are refused by http://rules/reports, trying again every 5 minutes:"
                        + " it answers status " + status);
    }

    @Test
    void aRefusalDoesNotHoldForAnotherLink() throws Exception {
        retrieval.run();
        receiver.status = 403;
        reporter.report();
        receiver.status = 204;
        receiver.location = "http://rules/v2/reports";
        reporter.report();
        assertThat(receiver.sent).hasSize(2);
    }

    @Test
    void aServiceThatNamesNoLinkHearsNothingAndNothingIsRecorded() throws Exception {
        retrieval.run();
        receiver.location = null;
        reporter.report();
        assertThat(receiver.sent).isEmpty();
        assertThat(recorder.look(get("/").user("alice"), null)).isNull();

        receiver.location = "http://rules/reports";
        reporter.report();
        assertThat(recorder.look(get("/").user("alice"), null)).isNotNull();
    }

    @Test
    void aReportBeforeThereAreRulesHasNoTag() throws Exception {
        reporter.report();
        assertThat(receiver.last().get("tag").isNull()).isTrue();
        assertThat(receiver.last().get("origin").asText()).isEqualTo("NONE");
        assertThat(receiver.last().get("since").isNull()).isTrue();
    }

    @Test
    void textsThatAreMadeToTakeMuchRoomMakeTheShareSmallerAndNoReportTooLarge() throws Exception {
        retrieval.run();
        reporter.listen();
        for (int i = 0; i < RequestRecorder.MOST_REQUESTS; i++) {
            Decided decision = Decided.allows();
            RecordedRequest seen =
                    recorder.look(get("/" + "\u0000".repeat(2_000)).user("u" + i), decision);
            assertThat(seen).isNotNull();
            recorder.record(seen, decision);
        }
        reporter.report();
        assertThat(receiver.sent.get(0)).hasSizeLessThanOrEqualTo(Reporter.MOST_BYTES);
        JsonNode report = receiver.last();
        assertThat(report.get("share").asDouble()).isIn(0.25, 0.125);
        assertThat(report.get("requests")).isNotEmpty();
        assertThat(recorder.next().share()).isLessThan(1);
    }

    @Test
    void hostileTextsStayTexts() throws Exception {
        retrieval.run();
        reporter.listen();
        String hostile = "/\"},{\"at\":1}\n\u0000\u2028\ud800<script>&\\";
        Decided decision = Decided.refuses();
        RecordedRequest seen = recorder.look(get(hostile).user(hostile).operation(hostile), decision);
        assertThat(seen).isNotNull();
        recorder.record(seen, decision);
        counts.onDecision(get("/"), decision);
        reporter.report();

        String text = new String(receiver.sent.get(0), US_ASCII);
        assertThat(text.chars()).allMatch(c -> c >= ' ' && c < 0x7f);
        JsonNode report = receiver.last();
        assertThat(report.get("requests")).hasSize(1);
        assertThat(report.at("/requests/0/path").asText()).isEqualTo(hostile);
        assertThat(report.at("/requests/0/user").asText()).isEqualTo(hostile);
        assertThat(report.at("/requests/0/operation").asText()).isEqualTo(hostile);
    }

    @Test
    void clientsOfSeveralPartsAreNamedPartByPart() {
        ClientIdentifier client = ClientIdentifier.composite(
                List.of(ClientIdentifier.of("user", "alice"), ClientIdentifier.of("cookie:sid", "s3cret")));
        ClientNames names = new ClientNames(hash);
        assertThat(names.of("orders", client))
                .isEqualTo("user=alice+cookie:sid=" + hash.of("orders", "cookie:sid", "s3cret"));
        assertThat(names.of("orders", ClientIdentifier.SERVICE)).isEqualTo("service");
    }
}
