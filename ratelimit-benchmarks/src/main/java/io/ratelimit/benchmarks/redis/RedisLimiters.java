package io.ratelimit.benchmarks.redis;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.ratelimit.RateLimiter;
import io.ratelimit.benchmarks.BenchmarkRequest;
import io.ratelimit.benchmarks.RulesInMemory;
import io.ratelimit.core.RateLimitEngine;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** The limiters of one host. Thread-safe. */
final class RedisLimiters implements AutoCloseable {

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
              - { name: refused, match: { path: /refused }, limits: [0 per 1h] }
              - name: window
                match: { path: /window }
                limits: [{ tokens: %d, per: 1m, algorithm: sliding-window-counter }]
              - { name: leased, match: { path: /leased }, sharing: leased, limits: [%d per 1s] }
            """.replace("%d", Long.toString(PLENTY));

    /** One limit after the generic cell rate algorithm, by the server's clock. */
    private static final String BARE = """
            local time = redis.call('TIME')
            local now = time[1] * 1000000 + time[2]
            local full = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0')) + 0.001
            if full - now > 1000000 then
              return 0
            end
            redis.call('SET', KEYS[1], string.format('%.3f', full), 'PX', '3000')
            return 1
            """;

    private final RedisClient client;
    private final RedisCommands<byte[], byte[]> commands;
    private final String bareDigest;
    private final ProxyManager<byte[]> bucket4j;
    private final RateLimitEngine engine;

    RedisLimiters(String uri) {
        this.client = RedisClient.create(uri);
        StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
        this.commands = connection.sync();
        // An earlier run may have left clients who have spent everything.
        commands.flushall();
        this.bareDigest = commands.scriptLoad(BARE);
        this.bucket4j = Bucket4jLettuce.casBasedBuilder(connection)
                .expirationAfterWrite(
                        ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(Duration.ofSeconds(2)))
                .build();
        this.engine = RateLimitEngine.builder()
                .rules(new RulesInMemory(RULES))
                .setting("redis", uri)
                .build();
        engine.start();
    }

    /** The server, for questions about it. */
    RedisCommands<byte[], byte[]> commands() {
        return commands;
    }

    /** One decision, about a client whom nobody else asks for. */
    BooleanSupplier of(Way way, String client) {
        String name = way + "/" + client;
        return switch (way) {
            case PING -> () -> commands.ping() != null;
            case BARE -> {
                byte[][] keys = {("bare:" + name).getBytes(StandardCharsets.US_ASCII)};
                yield () -> commands.<Long>evalsha(bareDigest, ScriptOutputType.INTEGER, keys) == 1;
            }
            case OURS -> ours("/one", name);
            case OURS_THREE_RULES -> ours("/three", name);
            case OURS_REFUSED -> {
                BooleanSupplier passes = ours("/refused", name);
                yield () -> !passes.getAsBoolean();
            }
            case OURS_WINDOW -> ours("/window", name);
            case OURS_LEASED -> ours("/leased", name);
            case BUCKET4J -> {
                BucketProxy bucket = bucket(name);
                yield () -> bucket.tryConsume(1);
            }
            case BUCKET4J_THREE_TIMES -> {
                BucketProxy first = bucket(name + "/1");
                BucketProxy second = bucket(name + "/2");
                BucketProxy third = bucket(name + "/3");
                yield () -> first.tryConsume(1) && second.tryConsume(1) && third.tryConsume(1);
            }
        };
    }

    /** Takes tokens of a client that Bucket4j limits by a thousand an hour, in two hours and so on. */
    void consume(String name, int limits, long cost) {
        var builder = BucketConfiguration.builder();
        for (int i = 1; i <= limits; i++) {
            Duration period = Duration.ofHours(i);
            builder.addLimit(limit -> limit.capacity(1_000).refillGreedy(1_000, period));
        }
        BucketConfiguration configuration = builder.build();
        if (!bucket4j.builder()
                .build(name.getBytes(StandardCharsets.US_ASCII), () -> configuration)
                .tryConsume(cost)) {
            throw new IllegalStateException(name + " was known before");
        }
    }

    private BooleanSupplier ours(String path, String name) {
        RateLimiter limiter = engine.limiter();
        BenchmarkRequest request = new BenchmarkRequest(path, name);
        return () -> limiter.decide(request).allowed();
    }

    private BucketProxy bucket(String name) {
        BucketConfiguration configuration = BucketConfiguration.builder()
                .addLimit(limit -> limit.capacity(PLENTY).refillGreedy(PLENTY, Duration.ofSeconds(1)))
                .build();
        return bucket4j.builder().build(name.getBytes(StandardCharsets.US_ASCII), () -> configuration);
    }

    @Override
    public void close() {
        engine.close();
        client.shutdown();
    }
}
