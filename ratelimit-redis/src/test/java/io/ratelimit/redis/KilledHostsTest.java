package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.ScriptOutputType;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Hosts that are killed while they write. */
@Tag("cluster")
class KilledHostsTest {

    private static final int KILLS = 50;
    private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();
    private static final long WEEK_MILLIS = Duration.ofDays(7).toMillis();

    /** In one call, while nothing changes. */
    private static final String LIVES = """
            local lives = {}
            for _, key in ipairs(redis.call('KEYS', '*')) do
              lives[#lives + 1] = redis.call('PTTL', key)
            end
            return lives
            """;

    @Test
    void leaveNoKeyWithoutExpiry() throws Exception {
        try (RedisProcess redis = RedisProcess.start62()) {
            for (int kill = 0; kill < KILLS; kill++) {
                long before = redis.calls("evalsha");
                Process host = SpendingHost.start(redis.uri());
                try {
                    await().atMost(Duration.ofMinutes(1)).until(() -> redis.calls("evalsha") > before + 2_000);
                } finally {
                    host.destroyForcibly().waitFor();
                }
                List<Long> lives = redis.on(commands -> commands.eval(LIVES, ScriptOutputType.MULTI));
                assertThat(lives).hasSizeGreaterThan(100).allMatch(left -> left >= 0 && left <= WEEK_MILLIS);
                assertThat(lives.stream().filter(left -> left > DAY_MILLIS + 5_000))
                        .as("the secret, and nothing else, lives longer than the longest limit")
                        .hasSize(1);
            }
        }
    }
}
