package io.ratelimit.redis;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on Redis 6.2. */
class RedisBucketStoreTest extends RedisContract {

    private static RedisProcess redis;

    @BeforeAll
    static void startServer() {
        redis = RedisProcess.start62();
        storesAt(redis.uri());
    }

    @AfterAll
    static void stopServer() {
        redis.close();
    }
}
