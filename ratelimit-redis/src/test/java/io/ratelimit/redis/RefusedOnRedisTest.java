package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.Decision;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.explain.DescribedRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hosts that share exact limits in Redis, and a client who goes on asking though he is over them. */
class RefusedOnRedisTest {

    private static final int FLOOD = 20_000;

    private final EnginesOnRedis engines = new EnginesOnRedis();

    @TempDir
    private Path directory;

    @AfterEach
    void close() {
        engines.close();
    }

    private RateLimitEngine host() throws IOException {
        return engines.start(directory, """
                service: orders
                clients: [user]
                storeTimeout: 2s
                rules:
                  - { name: everyone, limits: [10/h] }
                  - { name: all, key: service, limits: [1000000/h] }
                """, Map.of());
    }

    private static Decision decide(RateLimitEngine host, String user) {
        return host.limiter().decide(DescribedRequest.parse("GET / user=" + user));
    }

    @Test
    void aFloodOfARefusedClientCostsEachHostTenQuestionsASecond() throws Exception {
        RateLimitEngine first = host();
        RateLimitEngine second = host();
        Decision paid = decide(first, "alice");
        for (int i = 1; i < 10; i++) {
            assertThat(decide(i % 2 == 0 ? first : second, "alice").allowed()).isTrue();
        }
        long begun = System.nanoTime();
        long asked = engines.redis().calls("evalsha");
        for (int i = 0; i < FLOOD; i++) {
            Decision refused = decide(i % 2 == 0 ? first : second, "alice");
            assertThat(refused.reason()).isEqualTo(Decision.Reason.LIMIT_EXCEEDED);
            assertThat(refused.limits()).hasSize(2);
        }
        long tenths = (System.nanoTime() - begun) / Duration.ofMillis(100).toNanos() + 2;
        // A question is four calls: for each of two clients, of whom the service is given back what it was charged,
        // which
        // is read and written. The rest is what hosts say of themselves four times a second.
        assertThat(engines.redis().calls("evalsha") - asked).isBetween(4L, 2 * 5 * tenths);
        assertThat(decide(first, "bob").allowed()).isTrue();
        paid.settlement().refund();
        assertThat(decide(first, "alice").allowed()).isTrue();
    }
}
