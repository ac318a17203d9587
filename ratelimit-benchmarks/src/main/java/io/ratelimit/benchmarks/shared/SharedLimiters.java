package io.ratelimit.benchmarks.shared;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.grid.hazelcast.Bucket4jHazelcast;
import io.ratelimit.RateLimiter;
import io.ratelimit.TimeSource;
import io.ratelimit.benchmarks.BenchmarkRequest;
import io.ratelimit.benchmarks.RulesInMemory;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.hazelcast.HazelcastBucketStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/** The limiters on one member. Thread-safe. */
final class SharedLimiters implements AutoCloseable {

    /** The maps of the others, which have the backups that ours has. */
    static final String BARE_MAP = "bare";

    static final String BUCKET4J_MAP = "bucket4j";

    private static final long PLENTY = 1_000_000_000L;

    private static final String RULES = """
            service: shared
            clients: [user]
            storeTimeout: 5s
            rules:
              - { name: one, match: { path: /one }, limits: [%d per 1s] }
              - { name: first, match: { path: /three }, limits: [%d per 1s] }
              - { name: second, match: { path: /three }, limits: [%d per 1m] }
              - { name: third, match: { path: /three }, limits: [%d per 1h] }
              - { name: leased, match: { path: /leased }, sharing: leased, limits: [%d per 1s] }
              - { name: eventual, match: { path: /eventual }, sharing: eventual, limits: [%d per 1s] }
              - { name: host, match: { path: /host }, sharing: host, limits: [%d per 1s] }
            """.replace("%d", Long.toString(PLENTY));

    private final IMap<UUID, Long> bare;
    private final ProxyManager<String> bucket4j;
    private final RateLimitEngine engine;

    SharedLimiters(HazelcastInstance instance) {
        this.bare = instance.getMap(BARE_MAP);
        this.bucket4j = Bucket4jHazelcast.entryProcessorBasedBuilder(instance.<String, byte[]>getMap(BUCKET4J_MAP))
                .build();
        this.engine = RateLimitEngine.builder()
                .rules(new RulesInMemory(RULES))
                .store(new HazelcastBucketStore(instance, null, TimeSource.system()))
                .build();
        engine.start();
    }

    /** One decision, about a client. */
    BooleanSupplier of(Asked asked, String client) {
        return switch (asked) {
            case BARE -> {
                UUID key = UUID.nameUUIDFromBytes(client.getBytes(StandardCharsets.UTF_8));
                yield () -> bare.executeOnKey(key, new CountUp()) > 0;
            }
            case OURS -> ours("/one", client);
            case OURS_THREE_RULES -> ours("/three", client);
            case OURS_LEASED -> ours("/leased", client);
            case OURS_EVENTUAL -> ours("/eventual", client);
            case OURS_HOST -> ours("/host", client);
            case BUCKET4J -> {
                BucketProxy bucket = bucket(client);
                yield () -> bucket.tryConsume(1);
            }
            case BUCKET4J_THREE_TIMES -> {
                BucketProxy first = bucket(client + "/1");
                BucketProxy second = bucket(client + "/2");
                BucketProxy third = bucket(client + "/3");
                yield () -> first.tryConsume(1) && second.tryConsume(1) && third.tryConsume(1);
            }
        };
    }

    private BooleanSupplier ours(String path, String client) {
        RateLimiter limiter = engine.limiter();
        BenchmarkRequest request = new BenchmarkRequest(path, client);
        return () -> limiter.decide(request).allowed();
    }

    private BucketProxy bucket(String key) {
        BucketConfiguration configuration = BucketConfiguration.builder()
                .addLimit(limit -> limit.capacity(PLENTY).refillGreedy(PLENTY, Duration.ofSeconds(1)))
                .build();
        return bucket4j.builder().build(key, () -> configuration);
    }

    @Override
    public void close() {
        engine.close();
    }
}
