package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.Decision;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.explain.DescribedRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hosts that share exact limits in Redis, and a client who goes on asking though he is over them. */
class RefusedOnRedisTest {

    private static final int FLOOD = 20_000;

    private final RedisProcess redis = RedisProcess.start62();
    private final List<RateLimitEngine> hosts = new ArrayList<>();

    @TempDir
    private Path directory;

    @AfterEach
    void close() {
        hosts.forEach(RateLimitEngine::close);
        redis.close();
    }

    private RateLimitEngine host() throws IOException {
        Path rules = Files.writeString(directory.resolve("ratelimit.yaml"), """
                service: orders
                clients: [user]
                storeTimeout: 2s
                rules:
                  - { name: everyone, limits: [10/h] }
                  - { name: all, key: service, limits: [1000000/h] }
                """);
        RateLimitEngine engine = RateLimitEngine.builder()
                .rules(rules.toString())
                .setting("redis", redis.uri())
                .build();
        hosts.add(engine);
        engine.start();
        return engine;
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
        long asked = redis.calls("evalsha");
        for (int i = 0; i < FLOOD; i++) {
            Decision refused = decide(i % 2 == 0 ? first : second, "alice");
            assertThat(refused.reason()).isEqualTo(Decision.Reason.LIMIT_EXCEEDED);
            assertThat(refused.limits()).hasSize(2);
        }
        long tenths = (System.nanoTime() - begun) / Duration.ofMillis(100).toNanos() + 2;
        // A question is four calls: for each of two clients, of whom the service is given back what it was charged,
        // which
        // is read and written. The rest is what hosts say of themselves four times a second.
        assertThat(redis.calls("evalsha") - asked).isBetween(4L, 2 * 5 * tenths);
        assertThat(decide(first, "bob").allowed()).isTrue();
        paid.settlement().refund();
        assertThat(decide(first, "alice").allowed()).isTrue();
    }
}
