package io.ratelimit.sample;

import static io.ratelimit.sample.Caller.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ratelimit.sample.Caller.Answer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("cluster")
class RulesEditIT {

    private static final Duration EFFECTIVE_WITHIN = Duration.ofSeconds(2);
    private static final Duration SEVERAL_POLLS = Duration.ofSeconds(3);

    private final Caller caller = new Caller();

    @TempDir
    private Path directory;

    private RulesFile rules;
    private SampleProcess sample;

    @BeforeEach
    void write() {
        rules = new RulesFile(directory, "- { name: everyone, match: { path: /api/** }, limits: 40/h }");
    }

    @AfterEach
    void stop() {
        sample.close();
    }

    @Test
    void anEditCountsWithinTwoSecondsAndWhatWasUsedStaysUsed() {
        startCluster();
        for (int i = 0; i < 8; i++) {
            assertThat(orders(0, "old").isPassed()).isTrue();
        }
        rules.write(RulesFile.document("- { name: everyone, match: { path: /api/** }, limits: 10/h }"));
        awaitLimit(0, 10);
        awaitLimit(1, 10);

        assertThat(orders(0, "old").remaining()).isEqualTo(1);
        assertThat(orders(1, "old").remaining()).isZero();
        assertThat(orders(0, "old").isRefused()).isTrue();

        rules.write(RulesFile.document("- { name: everyone, match: { path: /api/** }, limits: 50/h }"));
        awaitLimit(0, 50);
        awaitLimit(1, 50);
        assertThat(orders(1, "old").remaining()).isEqualTo(39);

        rules.write("service: orders\nrules: [{ name: hello, match: { path: /hello }, limits: 50/h }]\n");
        await().atMost(EFFECTIVE_WITHIN).until(() -> !orders(0, "old").isLimited());
    }

    @Test
    void aBrokenEditChangesNothingAndIsOneLine() {
        startHostOnly();
        assertThat(orders(0, "client").remaining()).isEqualTo(39);
        rules.write(RulesFile.document(
                "- { name: other, match: { path: /other }, limits: 1/s }",
                "- name: everyone",
                "  match: { path: /api/** }",
                "  limits: 10/fortnight"));
        awaitOneLine();
        assertThat(sample.complaints("refused"))
                .allSatisfy(line -> assertThat(line)
                        .contains("rules.yaml", "everyone", "limits", "fortnight")
                        .containsPattern(":\\d+|line \\d+"));
        assertThat(orders(0, "client").remaining()).isEqualTo(38);
    }

    @Test
    void anEmptiedFileChangesNothing() {
        startHostOnly();
        assertThat(orders(0, "client").remaining()).isEqualTo(39);
        rules.write("");
        awaitOneLine();
        assertThat(orders(0, "client").remaining()).isEqualTo(38);
    }

    @Test
    void aHalfWrittenFileChangesNothingUntilItIsWhole() {
        startHostOnly();
        assertThat(orders(0, "client").remaining()).isEqualTo(39);
        String edited = RulesFile.document("- { name: everyone, match: { path: /api/** }, limits: 20/h }");
        rules.write(edited.substring(0, edited.length() - 8));
        awaitOneLine();
        assertThat(orders(0, "client").remaining()).isEqualTo(38);
        rules.write(edited);
        awaitLimit(0, 20);
        assertThat(orders(0, "client").remaining()).isEqualTo(17);
    }

    @Test
    void aRemovedFileChangesNothing() {
        startHostOnly();
        assertThat(orders(0, "client").remaining()).isEqualTo(39);
        rules.delete();
        await().atMost(Duration.ofSeconds(5))
                .until(() -> sample.complaints("does not exist").size() == 1);
        assertThat(orders(0, "client").remaining()).isEqualTo(38);
    }

    /** One line, however often the file is looked at, and though two nodes do. */
    private void awaitOneLine() {
        await().during(SEVERAL_POLLS)
                .atMost(SEVERAL_POLLS.plusSeconds(5))
                .until(() -> sample.complaints("").size() == 1);
        assertThat(sample.complaints("refused")).hasSize(1);
    }

    private void startCluster() {
        start("--member-port", "" + FreePorts.consecutive(2));
    }

    private void startHostOnly() {
        start("--host-only");
    }

    private void start(String... flags) {
        List<String> all = new ArrayList<>(
                List.of("--nodes", "2", "--port", "" + FreePorts.consecutive(2), "--rules", rules.toString()));
        all.addAll(List.of(flags));
        sample = SampleProcess.start(all.toArray(new String[0])).awaitReady();
    }

    private void awaitLimit(int node, long limit) {
        await().atMost(EFFECTIVE_WITHIN)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> orders(node, "probe-" + System.nanoTime()).limit() == limit);
    }

    private Answer orders(int node, String client) {
        return caller.get(sample.urls().get(node) + "/api/orders", key(client));
    }
}
