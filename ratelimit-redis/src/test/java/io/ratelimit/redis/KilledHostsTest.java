package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.nio.file.Path;
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

    @Test
    void leaveNoKeyWithoutExpiry() throws Exception {
        try (RedisProcess redis = RedisProcess.start62()) {
            RedisClient client = RedisClient.create(redis.uri());
            try (var connection = client.connect()) {
                for (int kill = 0; kill < KILLS; kill++) {
                    long before = spends(connection.sync());
                    Process host = host(redis.uri());
                    await().atMost(Duration.ofMinutes(1)).until(() -> spends(connection.sync()) > before + 3_000);
                    host.destroyForcibly().waitFor();
                    assertThatEachKeyEnds(connection.sync());
                }
            } finally {
                client.shutdown();
            }
        }
    }

    private static Process host(String uri) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        SpendingHost.class.getName(),
                        uri)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static long spends(RedisCommands<String, String> commands) {
        return commands.info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_evalsha:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".*calls=(\\d+).*", "$1")))
                .sum();
    }

    private static void assertThatEachKeyEnds(RedisCommands<String, String> commands) {
        List<String> keys = commands.keys("*");
        assertThat(keys).hasSizeGreaterThan(100);
        for (String key : keys) {
            // -2 is a key that has ended since.
            long left = commands.pttl(key);
            assertThat(left == -2 || (left > 0 && left <= (key.endsWith(":secret") ? WEEK_MILLIS : DAY_MILLIS + 5_000)))
                    .as("%s ends in %d ms", key, left)
                    .isTrue();
        }
    }
}
