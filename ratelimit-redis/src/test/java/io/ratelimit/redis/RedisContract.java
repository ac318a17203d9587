package io.ratelimit.redis;

import io.ratelimit.TimeSource;
import io.ratelimit.core.bucket.AlgorithmContract;
import io.ratelimit.core.bucket.BucketStoreContract;
import io.ratelimit.core.bucket.ChargeKindContract;
import io.ratelimit.store.BucketStore;
import java.util.Map;
import org.junit.jupiter.api.Nested;

/** What every store promises, by the clock of a test. */
abstract class RedisContract extends BucketStoreContract {

    private static String uri = "";

    /** Says where the stores are to be. */
    static void storesAt(String location) {
        uri = location;
    }

    private static BucketStore newStore(TimeSource timeSource) {
        RedisSettings settings = RedisSettings.parse(Map.of("redis", uri));
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
