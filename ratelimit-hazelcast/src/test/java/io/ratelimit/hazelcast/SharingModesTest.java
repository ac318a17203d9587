package io.ratelimit.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.explain.DescribedRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Engines on a cluster of their own, as an application has them, in real time. */
@Tag("cluster")
class SharingModesTest {

    @TempDir
    private Path directory;

    private final TestCluster cluster = new TestCluster();
    private final List<RateLimitEngine> engines = new ArrayList<>();

    @AfterEach
    void stopEngines() {
        engines.forEach(RateLimitEngine::close);
    }

    @Test
    void leasedTokensAreNeverMoreThanTheLimitAndAreSpentWithoutAHop() throws Exception {
        start(2, "leased", "800/h");
        await().atMost(Duration.ofSeconds(20))
                .until(() ->
                        engines.stream().allMatch(engine -> engine.sharedStore().hosts() == 2));
        for (RateLimitEngine engine : engines) {
            // The rule is known, and both hosts know of each other.
            engine.limiter().allowRequest(by("somebody else"));
        }
        TimeUnit.MILLISECONDS.sleep(3_200);
        int admitted = 0;
        for (int i = 0; i < 1_000; i++) {
            admitted += engines.get(i % 2).limiter().allowRequest(by("alice")) ? 1 : 0;
        }
        assertThat(admitted).isBetween(700, 801);
    }

    @Test
    void aBurstAtAllHostsPassesAndIsPaidBack() throws Exception {
        start(3, "eventual", "4/s");
        int admitted = 0;
        for (int i = 0; i < 24; i++) {
            admitted += engines.get(i % 3).limiter().allowRequest(by("alice")) ? 1 : 0;
        }
        assertThat(admitted).isBetween(12, 13);
        TimeUnit.MILLISECONDS.sleep(500);
        long end = System.nanoTime() + Duration.ofMillis(1_200).toNanos();
        while (System.nanoTime() - end < 0) {
            for (RateLimitEngine engine : engines) {
                assertThat(engine.limiter().allowRequest(by("alice"))).isFalse();
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        await().atMost(Duration.ofSeconds(5))
                .until(() -> engines.get(0).limiter().allowRequest(by("alice")));
    }

    private void start(int hosts, String sharing, String limit) throws IOException {
        Path rules = directory.resolve("ratelimit.yaml");
        Files.writeString(rules, """
                service: orders
                clients: [user]
                rules: [{ name: everyone, sharing: %s, storeTimeout: 2s, limits: [%s] }]
                """.formatted(sharing, limit));
        for (int i = 0; i < hosts; i++) {
            RateLimitEngine engine = RateLimitEngine.builder()
                    .rules(rules.toString())
                    .settings(cluster.settings())
                    .build();
            engines.add(engine);
            engine.start();
        }
    }

    private static DescribedRequest by(String user) {
        return DescribedRequest.parse("GET / user=\"" + user + "\"");
    }
}
