package io.ratelimit.redis;

import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.ratelimit.core.bucket.OwnerBreaker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The masters of a Redis Cluster, each with the keys of some hash slots. */
final class ClusterMasters implements RedisNodes {

    private static final Duration REFRESH = Duration.ofSeconds(5);
    private static final Duration SOONEST_REFRESH = Duration.ofSeconds(1);

    /** Stands for the master of a slot that has none for the moment. */
    private static final String NOBODY = "";

    private final RedisResources resources;
    private final RedisClusterClient client;
    private final ConcurrentMap<String, OwnerBreaker> breakers = new ConcurrentHashMap<>();

    ClusterMasters(RedisLocation location, RedisResources resources) {
        this.resources = resources;
        this.client = RedisClusterClient.create(resources.asLettuceHasThem(), location.uris());
        client.setOptions(RedisNodes.once(ClusterClientOptions.builder())
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enablePeriodicRefresh(REFRESH)
                        .adaptiveRefreshTriggersTimeout(SOONEST_REFRESH)
                        .build())
                .build());
    }

    @Override
    public CompletionStage<Opened> connect() {
        return client.refreshPartitionsAsync()
                .thenCompose(known -> client.connectAsync(ByteArrayCodec.INSTANCE))
                .thenCompose(ClusterMasters::connectToAll)
                .thenApply(connection -> new Opened(connection, connection.async()));
    }

    /** Left alone, a connection to a master begins with its first call, which is rejected while there is none. */
    private static CompletionStage<StatefulRedisClusterConnection<byte[], byte[]>> connectToAll(
            StatefulRedisClusterConnection<byte[], byte[]> connection) {
        CompletableFuture<?>[] masters = connection.getPartitions().stream()
                .filter(node -> !node.hasNoSlots())
                .map(node -> connection.getConnectionAsync(
                        node.getUri().getHost(), node.getUri().getPort()))
                .toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(masters).handle((all, failure) -> connection);
    }

    @Override
    public void execute(Runnable work) {
        resources.execute(work);
    }

    @Override
    public void retire(Opened old) {
        resources.retire(old.connection());
    }

    @Override
    public OwnerBreaker breakerOf(byte[] key) {
        RedisClusterNode master = masterOf(key);
        String id = master == null ? NOBODY : master.getNodeId();
        OwnerBreaker known = breakers.get(id);
        return known == null ? breakers.computeIfAbsent(id, made -> new OwnerBreaker()) : known;
    }

    @Override
    public String nameOf(byte[] key) {
        RedisClusterNode master = masterOf(key);
        return master == null ? "the master of a hash slot" : "Redis at " + RedisLocation.nameOf(master.getUri());
    }

    private @Nullable RedisClusterNode masterOf(byte[] key) {
        return client.getPartitions().getMasterBySlot(SlotHash.getSlot(key));
    }

    @Override
    public void close() {
        resources.close(client);
    }
}
