package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.explain.DescribedRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hosts that decide by themselves, and add up in Redis what was spent. */
@Tag("cluster")
class ReconciledOnRedisTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final EnginesOnRedis engines = new EnginesOnRedis();

    @TempDir
    private Path directory;

    @AfterEach
    void close() {
        engines.close();
    }

    private RateLimitEngine host(String limit) throws IOException {
        return engines.start(
                directory,
                "service: orders\nsharing: eventual\nrules: [{ name: everyone, limits: [" + limit + "] }]\n",
                Map.of("syncPeriod", "20ms"));
    }

    /** Who has nothing to tell does not look how many hosts there are. */
    private void awaitTwoHosts() {
        await().atMost(PATIENCE).until(() -> {
            engines.hosts().forEach(host -> passes(host, "guest-" + UUID.randomUUID()));
            return engines.knowHowManyTheyAre();
        });
    }

    private static boolean passes(RateLimitEngine host, String client) {
        return host.limiter()
                .decide(DescribedRequest.parse("GET / user=" + client))
                .allowed();
    }

    @Test
    void whatPassesOnEachHostIsPaidBackByBoth() throws Exception {
        RateLimitEngine first = host("10/s");
        RateLimitEngine second = host("10/s");
        awaitTwoHosts();
        passes(first, "alice");
        TimeUnit.MILLISECONDS.sleep(1_500);
        int passed = 0;
        long begun = System.nanoTime();
        for (int i = 0; i < 40; i++) {
            passed += passes(i % 2 == 0 ? first : second, "alice") ? 1 : 0;
        }
        assertThat(passed).isBetween(20, 24);
        while (System.nanoTime() - begun < 4_000_000_000L) {
            passed += passes(first, "alice") ? 1 : 0;
            passed += passes(second, "alice") ? 1 : 0;
            TimeUnit.MILLISECONDS.sleep(5);
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        // A burst, the rate, and for each host what it does not know of the other yet.
        assertThat((double) passed).isBetween(10 + 10 * (seconds - 1), 10 + 10 * seconds + 4);
    }

    @Test
    void aClientThatMovesToAnotherHostFindsWhatItHasSpentMissing() throws Exception {
        RateLimitEngine first = host("100/h");
        RateLimitEngine second = host("100/h");
        awaitTwoHosts();
        for (int i = 0; i < 90; i++) {
            assertThat(passes(first, "alice")).isTrue();
        }
        first.close();
        assertThat(passes(second, "alice")).isTrue();
        TimeUnit.MILLISECONDS.sleep(500);
        int passed = 1;
        while (passes(second, "alice")) {
            passed++;
        }
        assertThat(passed).isBetween(10, 11);
    }

    @Test
    void nobodyWaitsForAServerThatStandsStill() throws Exception {
        RateLimitEngine first = host("1000000/s");
        passes(first, "alice");
        engines.redis().freeze();
        long longest = 0;
        long begun = System.nanoTime();
        int passed = 0;
        int asked = 0;
        while (System.nanoTime() - begun < 2_000_000_000L) {
            long before = System.nanoTime();
            passed += passes(first, "alice") ? 1 : 0;
            asked++;
            longest = Math.max(longest, System.nanoTime() - before);
            TimeUnit.MILLISECONDS.sleep(1);
        }
        engines.redis().thaw();
        assertThat(passed).isEqualTo(asked);
        assertThat(longest).isLessThan(1_000_000_000L);
        assertThat(first.health().reasons())
                .singleElement()
                .asString()
                .contains("The store of eventual limits fails since", "each host goes alone");
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> passes(first, "alice") && first.health().reasons().isEmpty());
    }
}
