package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.ratelimit.ClientIdentifier;
import io.ratelimit.TimeSource;
import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import io.ratelimit.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hosts that share one real server, by its clock. */
class SharedRedisTest {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static RedisProcess redis;
    private static RedisClient client;
    private static StatefulRedisConnection<byte[], byte[]> connection;

    private final String namespace = "test-" + UUID.randomUUID();
    private final ClientIdentifier alice = ClientIdentifier.of("header:X-Api-Key", "alice-is-secret");
    private final List<BucketStore> stores = new ArrayList<>();

    @BeforeAll
    static void startServer() {
        redis = RedisProcess.start62();
        client = RedisClient.create(redis.uri());
        connection = client.connect(ByteArrayCodec.INSTANCE);
    }

    @AfterAll
    static void stopServer() {
        client.shutdown();
        redis.close();
    }

    @AfterEach
    void closeStores() {
        stores.forEach(BucketStore::close);
        commands().flushall();
    }

    private static RedisCommands<byte[], byte[]> commands() {
        return connection.sync();
    }

    private BucketStore host(String... moreSettings) {
        Map<String, String> settings = new HashMap<>(Map.of("redis", redis.uri(), "cluster", namespace));
        for (int i = 0; i < moreSettings.length; i += 2) {
            settings.put(moreSettings[i], moreSettings[i + 1]);
        }
        BucketStore store = new RedisBucketStoreFactory().create(settings, TimeSource.system());
        stores.add(store);
        return store;
    }

    private static BucketSpec bucket(String service, Limit limit) {
        return new BucketSpec(service, "everyone", 1, List.of(limit), StorePolicy.UNSET);
    }

    private SpendOutcome spend(BucketStore host, BucketSpec bucket, long cost) {
        return host.spend(List.of(new Charge(alice, bucket, cost)), PATIENCE)
                .toCompletableFuture()
                .join();
    }

    private List<String> keys() {
        return commands().keys("*").stream()
                .map(key -> new String(key, StandardCharsets.US_ASCII))
                .sorted()
                .toList();
    }

    /** The keys of clients' entries. */
    private List<byte[]> entries() {
        return keys().stream()
                .filter(key -> key.matches(".*:[\\w-]{22}"))
                .map(key -> key.getBytes(StandardCharsets.US_ASCII))
                .toList();
    }

    @Test
    void spendFromTheSameBuckets() {
        BucketStore first = host();
        BucketStore second = host();
        BucketSpec orders = bucket("orders", Limit.of(4, MINUTE));
        assertThat(Stream.of(first, second, first, second, first, second)
                        .map(host -> spend(host, orders, 1).allowed()))
                .containsExactly(true, true, true, true, false, false);
    }

    @Test
    void neverMeetInAnotherServiceNamespaceOrSecret() {
        BucketStore host = host();
        spend(host, bucket("a:b", Limit.of(1, MINUTE)), 1);
        assertThat(spend(host, bucket("a", Limit.of(1, MINUTE)), 1).allowed()).isTrue();
        assertThat(spend(host("cluster", namespace + ":a"), bucket("b", Limit.of(1, MINUTE)), 1)
                        .allowed())
                .isTrue();
        assertThat(spend(host("clusterSecret", "another"), bucket("a", Limit.of(1, MINUTE)), 1)
                        .allowed())
                .isTrue();
        assertThat(entries()).hasSize(4);
    }

    @Test
    void nameKeysByNamespaceAndServiceAndNoClientInClear() {
        spend(host(), bucket("orders of {EU}", Limit.of(1, MINUTE)), 1);
        await().atMost(PATIENCE).until(() -> keys().size() == 3);
        assertThat(keys()).allMatch(key -> key.startsWith(namespace + ":"));
        assertThat(new String(entries().get(0), StandardCharsets.US_ASCII))
                .matches(namespace + ":orders%20of%20%7BEU%7D:[\\w-]{22}");
        assertThat(new String(commands().get(entries().get(0)), StandardCharsets.ISO_8859_1))
                .doesNotContain("alice");
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "SLIDING_WINDOW_LOG"})
    void keepNoKeyWithoutExpiry(Algorithm algorithm) {
        BucketStore host = host();
        BucketSpec short10 = bucket("orders", new Limit(5, Duration.ofSeconds(10), 5, algorithm, LimitOptions.NONE));
        BucketSpec day = new BucketSpec(
                "orders",
                "daily",
                1,
                List.of(new Limit(1, Duration.ofDays(1), 1, algorithm, LimitOptions.NONE)),
                StorePolicy.UNSET);
        spend(host, short10, 1);
        assertThat(commands().pttl(entries().get(0))).isBetween(1_000L, 13_000L);
        spend(host, day, 1);
        long dayMillis = Duration.ofDays(1).toMillis();
        assertThat(commands().pttl(entries().get(0))).isBetween(dayMillis - 5_000, dayMillis + 5_000);
        spend(host, short10, 1);
        assertThat(commands().pttl(entries().get(0))).isBetween(dayMillis - 5_000, dayMillis + 5_000);
        for (String key : keys()) {
            assertThat(commands().pttl(key.getBytes(StandardCharsets.US_ASCII)))
                    .as(key)
                    .isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "SLIDING_WINDOW_LOG"})
    void giveAnEntryItsExpiryBackEvenWhereTheyOnlyRefuse(Algorithm algorithm) {
        BucketStore host = host();
        BucketSpec orders = bucket("orders", new Limit(2, MINUTE, 2, algorithm, LimitOptions.NONE));
        spend(host, orders, 2);
        byte[] entry = entries().get(0);
        commands().persist(entry);
        assertThat(commands().pttl(entry)).isEqualTo(-1);
        assertThat(spend(host, orders, 1).allowed()).isFalse();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(commands().pttl(entry)).isBetween(50_000L, 63_000L));
        assertThat(spend(host, orders, 1).allowed()).isFalse();
    }

    @Test
    void countWindowsAndEvenLimitsOfAClientSideBySide() {
        BucketStore host = host();
        BucketSpec window = new BucketSpec(
                "orders",
                "window",
                1,
                List.of(new Limit(3, MINUTE, 3, Algorithm.FIXED_WINDOW, LimitOptions.NONE)),
                StorePolicy.UNSET);
        BucketSpec even = bucket("orders", Limit.of(3, MINUTE));
        for (int i = 0; i < 3; i++) {
            assertThat(spend(host, window, 1).allowed()).isTrue();
            assertThat(spend(host, even, 1).allowed()).isTrue();
        }
        assertThat(spend(host, window, 1).allowed()).isFalse();
        assertThat(spend(host, even, 1).allowed()).isFalse();
        assertThat(entries()).hasSize(1);
        // The rule becomes another one, and goes on with what was used.
        BucketSpec changed = new BucketSpec("orders", "window", 2, List.of(Limit.of(4, MINUTE)), StorePolicy.UNSET);
        assertThat(spend(host, changed, 1).allowed()).isTrue();
        assertThat(spend(host, changed, 1).allowed()).isFalse();
    }

    @Test
    void leaveNothingBehindOnceBucketsAreFull() {
        BucketStore host = host();
        spend(host, bucket("orders", Limit.of(10, Duration.ofMillis(100))), 10);
        assertThat(entries()).hasSize(1);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(entries()).isEmpty());
    }

    @Test
    void teachTheServerItsScriptsAgain() {
        BucketStore host = host();
        BucketSpec orders = bucket("orders", Limit.of(3, MINUTE));
        spend(host, orders, 1);
        commands().scriptFlush();
        Receipt receipt = spend(host, orders, 1).charges().get(0).receipt();
        commands().scriptFlush();
        host.refund(receipt, 1).toCompletableFuture().join();
        commands().scriptFlush();
        assertThat(spend(host, orders, 2).allowed()).isTrue();
        assertThat(spend(host, orders, 1).allowed()).isFalse();
    }

    @Test
    void keepASecretThatTheServerHasLost() {
        BucketStore host = host();
        BucketSpec orders = bucket("orders", Limit.of(2, MINUTE));
        commands().flushall();
        BucketStore later = host();
        spend(later, orders, 1);
        assertThat(((RedisBucketStore) host).agree().join()).isNull();
        spend(host, orders, 1);
        assertThat(entries()).hasSize(1);
        assertThat(spend(host, orders, 1).allowed()).isFalse();
    }

    @Test
    void forgetASecretThatNoneOfThemHasAnyMore() {
        host("clusterSecret", "the one before");
        RedisBucketStore later = (RedisBucketStore) host("clusterSecret", "the one after");
        byte[] fingerprint = (namespace + ":fingerprint").getBytes(StandardCharsets.US_ASCII);
        byte[] before = commands().get(fingerprint);
        stores.remove(0).close();
        commands().pexpire(fingerprint, 200);
        later.agree().join();
        await().atMost(PATIENCE).until(() -> !Arrays.equals(commands().get(fingerprint), before));
        later.agree().join();
        assertThat(commands().get(fingerprint)).isNotNull();
        assertThat(commands().pttl(fingerprint)).isBetween(5_000L, 10_000L);
    }

    @Test
    void areToldByTheirReceiptsWhetherOtherLimitsAreInForceThanTheyHaveAskedFor() {
        BucketStore host = host();
        BucketSpec older = bucket("orders", Limit.of(1_000, MINUTE));
        BucketSpec newer = new BucketSpec("orders", "everyone", 2, List.of(Limit.of(100, MINUTE)), StorePolicy.UNSET);
        Receipt receipt = spend(host, newer, 1).charges().get(0).receipt();
        assertThat(receipt).isNotNull();
        assertThat(receipt.isUnder(newer)).isTrue();
        Receipt ofOlder = spend(host, older, 1).charges().get(0).receipt();
        assertThat(ofOlder).isNotNull();
        assertThat(ofOlder.isUnder(older)).isFalse();
        BucketSpec loadedBefore = new BucketSpec("orders", "everyone", 1, newer.limits(), StorePolicy.UNSET);
        Receipt ofTheSame = spend(host, loadedBefore, 1).charges().get(0).receipt();
        assertThat(ofTheSame).isNotNull();
        assertThat(ofTheSame.isUnder(loadedBefore)).isTrue();
    }

    @Test
    void beginAnewWhereAnEntryIsDamaged() {
        BucketStore host = host();
        BucketSpec orders = bucket("orders", Limit.of(2, MINUTE));
        for (String damaged : List.of("E", "Exxxxxxxxxxxxxxxxxxxxxxxx", "E12345678\0\0\0x", "E12345678\0\1e\1")) {
            spend(host, orders, 2);
            byte[] entry = entries().get(0);
            commands().set(entry, damaged.getBytes(StandardCharsets.US_ASCII));
            assertThat(spend(host, orders, 2).allowed()).as(damaged).isTrue();
            assertThat(commands().pttl(entry)).as(damaged).isPositive();
            commands().del(entry);
        }
    }

    @Test
    void putKeysRightThatSomebodyElseHasMadeOfAnotherKind() {
        RedisBucketStore host = (RedisBucketStore) host();
        BucketSpec orders = bucket("orders", Limit.of(2, MINUTE));
        spend(host, orders, 2);
        byte[] secret = (namespace + ":secret").getBytes(StandardCharsets.US_ASCII);
        byte[] hosts = (namespace + ":orders:hosts").getBytes(StandardCharsets.US_ASCII);
        byte[] entry = entries().get(0);
        byte[] kept = commands().get(secret);
        for (byte[] key : List.of(secret, hosts, entry)) {
            commands().del(key);
            commands().lpush(key, "x".getBytes(StandardCharsets.US_ASCII));
        }
        host.agree().join();
        assertThat(commands().get(secret)).isEqualTo(kept);
        await().atMost(PATIENCE).until(() -> commands().type(hosts).equals("zset"));
        assertThat(spend(host, orders, 2).allowed()).isTrue();
        assertThat(spend(host, orders, 1).allowed()).isFalse();
        assertThat(commands().pttl(entry)).isPositive();
    }

    @Test
    void leaveNothingOfALaterVersionWithoutAnEnd() {
        BucketStore host = host();
        BucketSpec orders = bucket("orders", Limit.of(2, MINUTE));
        spend(host, orders, 1);
        byte[] entry = entries().get(0);
        commands().set(entry, "Z of a later version".getBytes(StandardCharsets.US_ASCII));
        assertThatThrownBy(() -> spend(host, orders, 1)).isInstanceOf(CompletionException.class);
        assertThat(commands().pttl(entry)).isPositive();
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e18, -1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void beginAnewWhereMoreIsMissingThanCanBe(double units) {
        BucketStore host = host();
        BucketSpec orders = bucket("orders", Limit.of(2, MINUTE));
        spend(host, orders, 1);
        byte[] key = entries().get(0);
        byte[] entry = commands().get(key);
        ByteBuffer.wrap(entry).putDouble(entry.length - Double.BYTES, units);
        commands().set(key, entry, SetArgs.Builder.px(60_000));
        assertThat(spend(host, orders, 2).allowed()).isTrue();
        assertThat(spend(host, orders, 1).allowed()).isFalse();
        assertThat(commands().pttl(key)).isBetween(1_000L, 65_000L);
    }

    @ParameterizedTest
    @ValueSource(ints = {255, 256, 300})
    void countARuleOfVeryManyLimits(int count) {
        BucketStore host = host();
        List<Limit> limits = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            limits.add(Limit.of(i == count / 2 ? 5 : 9, Duration.ofSeconds(3_600 + i)));
        }
        BucketSpec many = new BucketSpec("orders", "everyone", 1, limits, StorePolicy.UNSET);
        for (int i = 0; i < 5; i++) {
            assertThat(spend(host, many, 1).allowed()).isTrue();
        }
        assertThat(spend(host, many, 1).allowed()).isFalse();
    }

    @Test
    void neverAnswerFromNothingWhereOnlyAPartCannotBeRead() {
        BucketStore host = host();
        BucketSpec even = bucket("orders", Limit.of(2, MINUTE));
        BucketSpec log = new BucketSpec(
                "orders",
                "log",
                1,
                List.of(new Limit(5, MINUTE, 5, Algorithm.SLIDING_WINDOW_LOG, LimitOptions.NONE)),
                StorePolicy.UNSET);
        spend(host, even, 2);
        spend(host, log, 1);
        byte[] key = entries().get(0);
        byte[] entry = commands().get(key);
        entry[entry.length - 1] = (byte) 0x80;
        commands().set(key, entry, SetArgs.Builder.px(60_000));
        // What is there says nothing, so that the client begins anew, once.
        assertThat(spend(host, even, 2).allowed()).isTrue();
        assertThat(spend(host, even, 1).allowed()).isFalse();
        assertThat(spend(host, log, 5).allowed()).isTrue();
    }

    @Test
    void failWhereALaterVersionHasLimitsThatTheyDoNotKnow() {
        BucketStore host = host();
        BucketSpec even = bucket("orders", Limit.of(2, MINUTE));
        spend(host, even, 1);
        byte[] key = entries().get(0);
        byte[] entry = commands().get(key);
        int algorithm = "E".length() + Double.BYTES + Short.BYTES + SpecForm.bytesOfName("everyone") + 2;
        entry[algorithm] = 15;
        commands().set(key, entry, SetArgs.Builder.px(60_000));
        assertThatThrownBy(() -> spend(host, even, 1))
                .hasMessageContaining("all hosts need the same version of ratelimit");
        assertThat(commands().get(key)).isEqualTo(entry);
    }

    @Test
    void touchNothingThatALaterVersionHasWritten() {
        BucketStore host = host();
        BucketSpec orders = bucket("orders", Limit.of(2, MINUTE));
        spend(host, orders, 1);
        byte[] entry = entries().get(0);
        byte[] later = "Z of a later version".getBytes(StandardCharsets.US_ASCII);
        commands().set(entry, later);
        assertThatThrownBy(() -> spend(host, orders, 1))
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("all hosts need the same version of ratelimit");
        assertThat(commands().get(entry)).isEqualTo(later);
    }

    @Test
    void knowHowManyTheyAre() {
        BucketSpec orders = bucket("orders", Limit.of(100, MINUTE));
        BucketStore first = host();
        assertThat(first.hosts()).isZero();
        spend(first, orders, 1);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(first.hosts()).isEqualTo(1));
        BucketStore second = host();
        spend(second, orders, 1);
        await().atMost(Duration.ofSeconds(1))
                .untilAsserted(() -> assertThat(first.hosts()).isEqualTo(2));
        second.close();
        await().atMost(Duration.ofSeconds(1))
                .untilAsserted(() -> assertThat(first.hosts()).isEqualTo(1));
    }

    @Test
    void areNotMadeWithoutAServerAndSayWhy() {
        assertThatThrownBy(() -> host("redis", "redis://127.0.0.1:" + RedisProcess.freePort()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("Redis cannot be used: Unable to connect to 127.0.0.1");
        assertThatThrownBy(() -> host("redis", "redis://orders:pa55word@127.0.0.1:" + redis.port()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("WRONGPASS")
                .hasMessageNotContaining("pa55word");
    }

    @Test
    void areToldWhatUriWouldBeRight() {
        for (String wrong : List.of(
                "localhost:6379",
                "http://localhost",
                "redis://:pa55#word@127.0.0.1:6379",
                "redis://127.0.0.1:pa55word",
                "redis-cluster://",
                "redis://",
                "redis://u:pa^55word@h")) {
            assertThatThrownBy(() -> host("redis", wrong))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("setting redis")
                    .hasMessageContaining("redis://HOST:PORT")
                    .hasNoCause();
        }
        assertThatThrownBy(() -> host("redis", " "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("setting redis is '': it must not be empty");
    }
}
