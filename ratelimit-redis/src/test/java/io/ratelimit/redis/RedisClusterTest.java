package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.rules.Limit;
import io.ratelimit.store.BucketSpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract on a Redis Cluster. */
@Tag("cluster")
class RedisClusterTest extends RedisContract {

    private static RedisCluster cluster;

    @BeforeAll
    static void startCluster() {
        cluster = new RedisCluster(RedisProcess.executable62());
        storesAt(cluster.uri());
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    @Test
    void clientsAreSpreadOverTheMasters() {
        BucketSpec spec = spec("everyone", Limit.of(10, MINUTE), Limit.of(100, MINUTE.multipliedBy(60)));
        for (int i = 0; i < 100; i++) {
            assertThat(admitted(ClientIdentifier.of("user", "client-" + i), spec, 12))
                    .isEqualTo(10);
        }
        assertThat(cluster.entries(service)).allMatch(count -> count > 0);
        assertThat(cluster.entries(service).stream().mapToLong(count -> count).sum())
                .isEqualTo(100);
    }
}
