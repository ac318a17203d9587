package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.explain.DescribedRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hosts that take tokens of a busy client ahead of time, from buckets in Redis. */
class LeasedOnRedisTest {

    private static final int BURST = 10_000;
    private static final Duration LEASES_BEGIN = Duration.ofMillis(3_500);

    private final EnginesOnRedis engines = new EnginesOnRedis();

    @TempDir
    private Path directory;

    @AfterEach
    void close() {
        engines.close();
    }

    private RateLimitEngine host() throws IOException {
        return engines.start(
                directory,
                "service: orders\nsharing: leased\nstoreTimeout: 2s\nrules: [{ name: everyone, limits: [" + BURST
                        + "/h] }]\n",
                Map.of());
    }

    private static boolean passes(RateLimitEngine host, String client) {
        return host.limiter()
                .decide(DescribedRequest.parse("GET / user=" + client))
                .allowed();
    }

    @Test
    void neverPassMoreThanTheLimitTogetherAndAskLittle() throws Exception {
        RateLimitEngine first = host();
        RateLimitEngine second = host();
        passes(first, "bob");
        passes(second, "bob");
        await().atMost(Duration.ofSeconds(5)).until(() -> engines.knowHowManyTheyAre());
        // Who has no requests does not look how many hosts there are.
        for (long end = System.nanoTime() + LEASES_BEGIN.toNanos(); System.nanoTime() - end < 0; ) {
            TimeUnit.MILLISECONDS.sleep(100);
            passes(first, "bob");
            passes(second, "bob");
        }
        long begun = System.nanoTime();
        int passed = 0;
        long asked = engines.redis().calls("evalsha");
        for (int i = 0; i < 2 * BURST; i++) {
            passed += passes(i % 2 == 0 ? first : second, "alice") ? 1 : 0;
        }
        long refilled =
                BURST * (System.nanoTime() - begun) / Duration.ofHours(1).toNanos() + 1;
        assertThat((long) passed).isBetween(BURST * 7L / 8, BURST + refilled);
        assertThat(engines.redis().calls("evalsha") - asked).isLessThan(BURST / 10);
    }
}
