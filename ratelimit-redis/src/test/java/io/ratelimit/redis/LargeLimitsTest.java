package io.ratelimit.redis;

import io.ratelimit.TimeSource;
import io.ratelimit.core.LargeLimitsContract;
import io.ratelimit.core.RateLimitEngineBuilder;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;

/** On a real server. */
class LargeLimitsTest extends LargeLimitsContract {

    private final RedisProcess redis = RedisProcess.start62();

    @AfterAll
    void stopServer() {
        redis.close();
    }

    @Override
    protected void share(RateLimitEngineBuilder host, TimeSource timeSource) {
        host.store(new RedisBucketStore(
                RedisSettings.parse(Map.of("redis", redis.uri())),
                TimeSource.system(),
                new ManualRedisTime(timeSource)));
    }
}
