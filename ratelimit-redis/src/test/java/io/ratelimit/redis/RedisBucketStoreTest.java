package io.ratelimit.redis;

import io.ratelimit.TimeSource;
import io.ratelimit.core.bucket.AlgorithmContract;
import io.ratelimit.core.bucket.BucketStoreContract;
import io.ratelimit.core.bucket.ChargeKindContract;
import io.ratelimit.store.BucketStore;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The contract on one real server. */
class RedisBucketStoreTest extends BucketStoreContract {

    private static RedisProcess redis;

    @BeforeAll
    static void startServer() {
        redis = RedisProcess.start62();
    }

    @AfterAll
    static void stopServer() {
        redis.close();
    }

    private static BucketStore newStore(TimeSource timeSource) {
        RedisSettings settings = RedisSettings.parse(Map.of("redis", redis.uri()));
        return new RedisBucketStore(settings, TimeSource.system(), new ManualRedisTime(timeSource));
    }

    @Override
    protected BucketStore createStore(TimeSource timeSource) {
        return newStore(timeSource);
    }

    @Override
    protected long tickNanos() {
        return 1_000;
    }

    @Nested
    class KindsOfCharges extends ChargeKindContract {

        @Override
        protected BucketStore createStore(TimeSource timeSource) {
            return newStore(timeSource);
        }
    }

    @Nested
    class Algorithms extends AlgorithmContract {

        @Override
        protected BucketStore createStore(TimeSource timeSource) {
            return newStore(timeSource);
        }
    }
}
