package io.ratelimit.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.File;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/** A Redis Cluster of three masters. */
final class RedisCluster implements AutoCloseable {

    private static final int MASTERS = 3;
    private static final int SLOTS = 16_384;

    private final List<RedisProcess> masters = new ArrayList<>();

    RedisCluster(File executable) {
        for (int i = 0; i < MASTERS; i++) {
            masters.add(RedisProcess.server(
                    executable, RedisProcess.freePort(), "--cluster-enabled", "yes", "--cluster-node-timeout", "2000"));
        }
        for (int i = 0; i < MASTERS; i++) {
            int first = SLOTS * i / MASTERS;
            int end = SLOTS * (i + 1) / MASTERS;
            on(i, connection -> {
                connection.sync().clusterAddSlots(IntStream.range(first, end).toArray());
                connection.sync().clusterMeet("127.0.0.1", masters.get(0).port());
            });
        }
        for (int i = 0; i < MASTERS; i++) {
            on(
                    i,
                    connection -> Awaitility.await()
                            .atMost(Duration.ofSeconds(30))
                            .until(() -> connection.sync().clusterInfo().contains("cluster_state:ok")
                                    && connection.sync().clusterInfo().contains("cluster_known_nodes:" + MASTERS)));
        }
    }

    private void on(int master, Consumer<StatefulRedisConnection<String, String>> work) {
        RedisClient client = RedisClient.create(masters.get(master).uri());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            work.accept(connection);
        } finally {
            client.shutdown();
        }
    }

    /** How many keys of a service's clients each master has. */
    List<Long> entries(String service) {
        List<Long> counts = new ArrayList<>();
        for (int i = 0; i < MASTERS; i++) {
            on(
                    i,
                    connection -> counts.add(connection.sync().keys("*:" + service + ":*").stream()
                            .filter(key -> key.matches(".*:[\\w-]{22}"))
                            .count()));
        }
        return counts;
    }

    RedisProcess master(int index) {
        return masters.get(index);
    }

    String uri() {
        return masters.stream()
                .map(master -> "127.0.0.1:" + master.port())
                .collect(Collectors.joining(",", "redis-cluster://", ""));
    }

    @Override
    public void close() {
        masters.forEach(RedisProcess::close);
    }
}
