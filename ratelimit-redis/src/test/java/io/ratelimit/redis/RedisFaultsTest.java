package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.sync.RedisCommands;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.redis.DecisionLoad.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A host under load while its Redis is away, slow, full or another one. */
@Tag("cluster")
class RedisFaultsTest {

    private static final Duration RECOVERY = Duration.ofSeconds(15);
    private static final long WARM_UP = 100 * 20 * 4 + 10;
    private static final Duration FIRST = Duration.ofMillis(20 + 25);

    private static final Logger LOG = LoggerFactory.getLogger(RedisFaultsTest.class);

    @TempDir
    private Path directory;

    private final Deque<AutoCloseable> toClose = new ArrayDeque<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closeable : toClose) {
            closeable.close();
        }
    }

    private <T extends AutoCloseable> T closed(T closeable) {
        toClose.push(closeable);
        return closeable;
    }

    private RateLimitEngine engine(String uri, String limit) throws IOException {
        Path rules = Files.writeString(
                directory.resolve("ratelimit.yaml"),
                "service: orders\nrules: [{ name: everyone, match: { path: /api/** }, limits: [" + limit + "] }]\n");
        RateLimitEngine engine = closed(RateLimitEngine.builder()
                .rules(rules.toString())
                .setting("redis", uri)
                .build());
        engine.start();
        return engine;
    }

    private static long sleep(Duration duration) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(duration.toNanos());
        return System.nanoTime();
    }

    private static void awaitNoFailures(DecisionLoad load) {
        await().atMost(RECOVERY).pollInterval(Duration.ofMillis(100)).until(() -> {
            List<Sample> last = load.since(System.nanoTime() - TimeUnit.SECONDS.toNanos(1));
            return last.size() > 100 && last.stream().noneMatch(Sample::failure);
        });
    }

    private static long failures(List<Sample> samples) {
        return samples.stream().filter(Sample::failure).count();
    }

    /** No request waits for long, none is refused or fails, and all is as before soon after the fault. */
    private void assertThatAFaultIsRiddenOut(RedisProcess redis, Runnable fault, Runnable end) throws Exception {
        DecisionLoad load = closed(new DecisionLoad(engine(redis.uri(), "1000000/h")));
        sleep(Duration.ofSeconds(3));
        long second = TimeUnit.SECONDS.toNanos(1);
        assertThat(failures(load.since(System.nanoTime() - second))).isZero();
        long begun = System.nanoTime();
        fault.run();
        long ended = sleep(Duration.ofSeconds(6));
        end.run();
        awaitNoFailures(load);
        assertThat(load.thrown()).isEmpty();
        assertThat(load.since(begun)).allMatch(Sample::allowed);
        assertThat(failures(load.between(begun + second, ended))).isPositive();
        assertThat(DecisionLoad.p99(load.between(begun, begun + second))).isLessThan(FIRST);
        assertThat(DecisionLoad.p99(load.between(begun + second, ended))).isLessThan(Duration.ofMillis(5));
    }

    @Test
    void aServerThatStandsStillKeepsNobodyWaiting() throws Exception {
        RedisProcess redis = closed(RedisProcess.start62());
        assertThatAFaultIsRiddenOut(redis, redis::freeze, redis::thaw);
    }

    @Test
    void aServerThatDiesIsFoundAgain() throws Exception {
        RedisProcess redis = closed(RedisProcess.start62());
        assertThatAFaultIsRiddenOut(redis, redis::kill, redis::start);
    }

    /** The outage can be made longer, as by {@code -Dratelimit.outage=PT10M}. */
    @Test
    void anOutageLeavesNeitherMemoryNorThreadsBehind() throws Exception {
        Duration outage = Duration.parse(System.getProperty("ratelimit.outage", "PT10S"));
        RedisProcess redis = closed(RedisProcess.start62());
        DecisionLoad load = closed(new DecisionLoad(engine(redis.uri(), "1000000/h")));
        sleep(Duration.ofSeconds(5));
        // Threads that connect again are started when they are needed first, and stay.
        redis.kill();
        redis.start();
        awaitNoFailures(load);
        sleep(Duration.ofSeconds(5));
        Footprint before = Footprint.after(load::forget);
        redis.kill();
        long open = sleep(Duration.ofSeconds(1));
        long ended = sleep(outage);
        List<Sample> away = load.between(open, ended);
        redis.start();
        long back = System.nanoTime();
        awaitNoFailures(load);
        long recovered = System.nanoTime();
        sleep(Duration.ofSeconds(5));
        LOG.info(
                "{} away: p99 {}, then {} ms until no failure, {} decisions",
                outage,
                DecisionLoad.p99(away),
                (recovered - back) / 1_000_000,
                away.size());
        assertThat(load.thrown()).isEmpty();
        assertThat(away).allMatch(Sample::allowed).allMatch(Sample::failure);
        assertThat(DecisionLoad.p99(away)).isLessThan(Duration.ofMillis(5));
        away = List.of();
        Footprint after = Footprint.after(load::forget);
        LOG.info("before: {}, after: {}", before, after);
        assertThat(after.heapBytes()).isBetween((long) (before.heapBytes() * 0.95), (long) (before.heapBytes() * 1.05));
        assertThat(after.threads()).isLessThanOrEqualTo(before.threads() + 1);
    }

    @Test
    void scriptsThatAreForgottenAreNoFault() throws Exception {
        RedisProcess redis = closed(RedisProcess.start62());
        DecisionLoad load = closed(new DecisionLoad(engine(redis.uri(), "1000000/h")));
        long begun = sleep(Duration.ofSeconds(2));
        for (int i = 0; i < 20; i++) {
            redis.on(RedisCommands::scriptFlush);
            sleep(Duration.ofMillis(50));
        }
        assertThat(load.thrown()).isEmpty();
        assertThat(failures(load.since(begun))).isZero();
    }

    /** Each loss costs the calls that were under way and no more; none is made twice. */
    @Test
    void aReplyThatIsLostIsNotAskedForAgain() throws Exception {
        RedisProcess redis = closed(RedisProcess.start62());
        CuttingProxy proxy = closed(new CuttingProxy(redis.port()));
        RateLimitEngine engine = engine(proxy.uri(), "1000000/h");
        DecisionLoad load = closed(new DecisionLoad(engine));
        sleep(Duration.ofSeconds(2));
        proxy.lose(0.01);
        sleep(Duration.ofSeconds(4));
        proxy.lose(0);
        awaitNoFailures(load);
        load.close();
        assertThat(proxy.cut()).isGreaterThan(5);
        assertThat(load.thrown()).isEmpty();
        List<Sample> all = load.since(System.nanoTime() - TimeUnit.MINUTES.toNanos(5));
        assertThat(all).allMatch(Sample::allowed);
        long asked = all.size();
        // Beside requests, there are what warms the store up, and the secret.
        assertThat(redis.calls("set")).isBetween(asked / 2, asked + WARM_UP);
    }

    @Test
    void aServerWithoutMemoryLeavesHostsToThemselves() throws Exception {
        RedisProcess redis = closed(RedisProcess.start62());
        DecisionLoad load = closed(new DecisionLoad(engine(redis.uri(), "1000000/h")));
        sleep(Duration.ofSeconds(2));
        redis.on(commands -> commands.configSet("maxmemory-policy", "noeviction"));
        redis.on(commands -> commands.configSet("maxmemory", "1"));
        long full = sleep(Duration.ofSeconds(1));
        sleep(Duration.ofSeconds(2));
        assertThat(failures(load.since(full))).isPositive();
        redis.on(commands -> commands.configSet("maxmemory-policy", "allkeys-lru"));
        sleep(Duration.ofSeconds(1));
        redis.on(commands -> commands.configSet("maxmemory", "0"));
        awaitNoFailures(load);
        assertThat(load.thrown()).isEmpty();
        assertThat(load.since(full)).allMatch(Sample::allowed);
    }

    private DecisionLoad loadThroughSentinel(RedisProcess master) throws Exception {
        RedisProcess sentinel = closed(RedisProcess.sentinel(RedisProcess.executable62(), "orders", master.port()));
        await().atMost(RECOVERY).until(() -> info(sentinel, "sentinel").contains("slaves=1"));
        String uri = "redis-sentinel://127.0.0.1:" + sentinel.port() + "#orders";
        DecisionLoad load = closed(new DecisionLoad(engine(uri, "1000000/h")));
        sleep(Duration.ofSeconds(3));
        return load;
    }

    @Test
    void anotherMasterIsFoundThroughSentinel() throws Exception {
        RedisProcess master = closed(RedisProcess.start62());
        RedisProcess replica = closed(RedisProcess.start62("--replicaof", "127.0.0.1", "" + master.port()));
        DecisionLoad load = loadThroughSentinel(master);
        assertThat(failures(load.since(System.nanoTime() - 1_000_000_000L))).isZero();
        long begun = System.nanoTime();
        master.kill();
        await().atMost(RECOVERY).until(() -> info(replica, "replication").contains("role:master"));
        awaitNoFailures(load);
        assertThat(load.thrown()).isEmpty();
        assertThat(load.since(begun)).allMatch(Sample::allowed);
    }

    /** Frozen, it still takes connections, and keeps the old ones. */
    @Test
    void aMasterThatStandsStillIsLeftForTheOneThatSentinelNames() throws Exception {
        RedisProcess master = closed(RedisProcess.start62());
        RedisProcess replica = closed(RedisProcess.start62("--replicaof", "127.0.0.1", "" + master.port()));
        DecisionLoad load = loadThroughSentinel(master);
        master.freeze();
        await().atMost(RECOVERY).until(() -> info(replica, "replication").contains("role:master"));
        awaitNoFailures(load);
        master.thaw();
        sleep(Duration.ofSeconds(3));
        awaitNoFailures(load);
        assertThat(load.thrown()).isEmpty();
    }

    @Test
    void oneMasterOfAClusterThatStandsStillLeavesTheOthersAlone() throws Exception {
        RedisCluster cluster = closed(new RedisCluster(RedisProcess.executable62()));
        DecisionLoad load = closed(new DecisionLoad(engine(cluster.uri(), "1000000/h")));
        sleep(Duration.ofSeconds(3));
        assertThat(failures(load.since(System.nanoTime() - 1_000_000_000L))).isZero();
        long begun = System.nanoTime();
        cluster.master(1).freeze();
        long second = sleep(Duration.ofSeconds(1));
        // Then the others say that the cluster is down.
        List<Sample> during = load.between(begun, second);
        cluster.master(1).thaw();
        assertThat(failures(during)).isBetween(during.size() / 10L, during.size() * 6L / 10);
        awaitNoFailures(load);
        assertThat(load.thrown()).isEmpty();
    }

    private static String info(RedisProcess redis, String section) {
        try {
            return redis.on(commands -> commands.info(section));
        } catch (RedisException e) {
            return "";
        }
    }
}
