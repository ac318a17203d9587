package io.ratelimit.redis;

import io.ratelimit.TimeSource;
import io.ratelimit.core.EditedRulesContract;
import io.ratelimit.core.RateLimitEngineBuilder;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Two hosts that share one real server. */
@Tag("cluster")
class EditedRulesTest extends EditedRulesContract {

    private static RedisProcess redis;

    private final String namespace = "test-" + UUID.randomUUID();
    private @Nullable RedisTime time;

    @BeforeAll
    static void startServer() {
        redis = RedisProcess.start62();
    }

    @AfterAll
    static void stopServer() {
        redis.close();
    }

    @Override
    protected void share(RateLimitEngineBuilder host, TimeSource timeSource) {
        RedisTime now = time == null ? new ManualRedisTime(timeSource) : time;
        time = now;
        Map<String, String> settings = Map.of("redis", redis.uri(), "cluster", namespace);
        host.store(new RedisBucketStore(RedisSettings.parse(settings), TimeSource.system(), now));
    }
}
