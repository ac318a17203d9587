package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.TimeSource;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server whose clock is set back, by a failover or by hand. */
class SetBackClockTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static RedisProcess redis;

    private final ManualTimeSource clock = new ManualTimeSource();
    private final RedisBucketStore host = new RedisBucketStore(
            RedisSettings.parse(Map.of("redis", redis.uri())), TimeSource.system(), new ManualRedisTime(clock));
    private final ClientIdentifier alice = ClientIdentifier.of("user", "alice");

    @BeforeAll
    static void startServer() {
        redis = RedisProcess.start62();
    }

    @AfterAll
    static void stopServer() {
        redis.close();
    }

    @AfterEach
    void closeHost() {
        host.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = Algorithm.class,
            names = {"TOKEN_BUCKET", "FIXED_WINDOW", "SLIDING_WINDOW_LOG", "SLIDING_WINDOW_COUNTER"})
    void neitherGivesNorTakesMoreThanItsLimitsSay(Algorithm algorithm) {
        BucketSpec bucket = bucket(new Limit(10, MINUTE, 10, algorithm, LimitOptions.NONE));
        assertThat(admitted(bucket, 12)).isEqualTo(10);
        clock.advanceNanos(-Duration.ofHours(1).toNanos());
        assertThat(admitted(bucket, 2)).isZero();
        clock.advance(MINUTE.multipliedBy(2));
        assertThat(admitted(bucket, 12)).isEqualTo(10);
    }

    @ParameterizedTest
    @EnumSource(
            value = Algorithm.class,
            names = {"TOKEN_BUCKET", "FIXED_WINDOW", "SLIDING_WINDOW_LOG", "SLIDING_WINDOW_COUNTER"})
    void bringsTokensBackWhileAClientKeepsAsking(Algorithm algorithm) {
        BucketSpec bucket = bucket(new Limit(10, MINUTE, 10, algorithm, LimitOptions.NONE));
        assertThat(admitted(bucket, 10)).isEqualTo(10);
        clock.advanceNanos(-Duration.ofHours(1).toNanos());
        int admitted = 0;
        for (int second = 0; second < 300; second++) {
            clock.advance(Duration.ofSeconds(1));
            admitted += admitted(bucket, 1);
        }
        // Of five minutes, the one that the clock was in begins anew, and the counter of two windows weighs it once
        // more.
        assertThat(admitted).isBetween(30, 50);
    }

    private int admitted(BucketSpec bucket, int requests) {
        int admitted = 0;
        for (int i = 0; i < requests; i++) {
            admitted += host.spend(List.of(new Charge(alice, bucket, 1)), TIMEOUT)
                            .toCompletableFuture()
                            .join()
                            .allowed()
                    ? 1
                    : 0;
        }
        return admitted;
    }

    private static BucketSpec bucket(Limit limit) {
        String name = limit.algorithm().name().toLowerCase(Locale.ROOT);
        return new BucketSpec("orders-" + UUID.randomUUID(), name, 1, List.of(limit), StorePolicy.UNSET);
    }
}
