package io.ratelimit.redis;

import io.ratelimit.TimeSource;
import io.ratelimit.core.thread.PassingThread;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.BucketStoreFactory;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes stores in Redis or Valkey. Settings:
 *
 * <ul>
 *   <li>{@code redis}: where it is, as {@code redis://HOST:PORT}, {@code redis-sentinel://HOST:PORT,HOST:PORT#MASTER} or
 *       {@code redis-cluster://HOST:PORT,HOST:PORT}; with {@code rediss} for TLS, and {@code USER:PASSWORD@} before the
 *       hosts
 *   <li>{@code cluster}: what all keys begin with, {@code ratelimit} by default; services of the same name that are not
 *       the same need different ones
 *   <li>{@code clusterSecret}: the secret under which clients' keys are hashed, the same on all hosts; by default the
 *       first host makes one
 * </ul>
 */
public final class RedisBucketStoreFactory implements BucketStoreFactory {

    /** Made by {@link java.util.ServiceLoader}. */
    public RedisBucketStoreFactory() {}

    @Override
    public Set<String> settings() {
        return new TreeSet<>(RedisSettings.NAMES);
    }

    @Override
    public Set<String> requiredSettings() {
        return Set.of(RedisSettings.LOCATION);
    }

    @Override
    public BucketStore create(Map<String, String> settings, TimeSource timeSource) {
        RedisSettings parsed = RedisSettings.parse(settings);
        return PassingThread.call(() -> new RedisBucketStore(parsed, timeSource, RedisTime.OF_SERVER));
    }
}
