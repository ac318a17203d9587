package io.ratelimit.sample;

import static io.ratelimit.sample.Caller.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("cluster")
class HttpRulesIT {

    private static final Duration TWO_POLLS = Duration.ofSeconds(14);

    private final Caller caller = new Caller();

    @TempDir
    private Path directory;

    @Test
    void aChangeOfTheSourceCountsAndItsDeathDoesNot() {
        try (RulesServer source = new RulesServer(document(40))) {
            try (SampleProcess sample = start(source)) {
                assertThat(limit(sample)).isEqualTo(40);
                await().atMost(TWO_POLLS).until(() -> source.unchanged() > 0);
                source.serve(document(20));
                await().atMost(TWO_POLLS).until(() -> limit(sample) == 20);

                source.close();
                await().atMost(TWO_POLLS)
                        .until(() -> sample.complaints("cannot be retrieved").size() == 1);
                assertThat(limit(sample)).isEqualTo(20);
            }
            try (SampleProcess again = start(source)) {
                assertThat(again.complaints("LAST GOOD RULES")).hasSize(1);
                assertThat(limit(again)).isEqualTo(20);
            }
        }
    }

    private static String document(int limit) {
        return RulesFile.document("- { name: everyone, match: { path: /api/orders/** }, limits: " + limit + "/h }");
    }

    /** The last good rules are kept in the temporary directory: a test has its own. */
    private SampleProcess start(RulesServer source) {
        return SampleProcess.start(
                        List.of("-Djava.io.tmpdir=" + directory),
                        "--host-only",
                        "--port",
                        "" + FreePorts.consecutive(1),
                        "--rules",
                        source.url())
                .awaitReady();
    }

    private long limit(SampleProcess sample) {
        return caller.get(sample.url() + "/api/orders", key("probe-" + System.nanoTime()))
                .limit();
    }
}
