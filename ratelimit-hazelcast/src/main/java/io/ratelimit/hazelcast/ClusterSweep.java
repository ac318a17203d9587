package io.ratelimit.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.partition.PartitionService;
import com.hazelcast.query.Predicates;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Removes what is forgotten from the whole cluster, for clients of members that only keep buckets. Hosts take turns by a
 * number that all can read: whoever sweeps counts it up, before and meanwhile. Who finds it as it was at his last look takes
 * the next turn. For one thread.
 */
final class ClusterSweep implements Runnable {

    private static final String TURNS = "ratelimit.turns";
    private static final String TURN = "sweep";
    private static final long SIGN_OF_LIFE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final IMap<UUID, ClientBuckets> buckets;
    private final IMap<String, Long> turns;
    private final PartitionService partitions;

    /** A key on each partition. */
    private final Map<Integer, UUID> keys = new HashMap<>();

    private @Nullable Long lastTurn;

    /**
     * Makes a sweep.
     *
     * @param instance the cluster
     * @param partitions its partitions
     */
    ClusterSweep(HazelcastInstance instance, PartitionService partitions) {
        this.buckets = instance.getMap(HazelcastBucketStore.MAP);
        this.turns = instance.getMap(TURNS);
        this.partitions = partitions;
    }

    @Override
    public void run() {
        if (takeTurn()) {
            findKeys();
            sweepAll();
        }
    }

    private boolean takeTurn() {
        Long turn = turns.get(TURN);
        boolean taken = turn == null
                ? turns.putIfAbsent(TURN, 1L) == null
                : turn.equals(lastTurn) && turns.replace(TURN, turn, turn + 1);
        if (taken) {
            lastTurn = turn == null ? 1L : turn + 1;
        } else {
            lastTurn = turn;
        }
        return taken;
    }

    private void findKeys() {
        int count = keys.isEmpty() ? partitions.getPartitions().size() : keys.size();
        for (long i = 0; keys.size() < count; i++) {
            UUID key = new UUID(0, i);
            keys.putIfAbsent(partitions.getPartition(key).getPartitionId(), key);
        }
    }

    /** One partition after the other, so that requests wait for one of them at most. */
    private void sweepAll() {
        long told = System.nanoTime();
        for (UUID key : keys.values()) {
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
            buckets.removeAll(Predicates.partitionPredicate(key, new ForgottenPredicate()));
            if (lastTurn != null && System.nanoTime() - told > SIGN_OF_LIFE_NANOS) {
                told = System.nanoTime();
                lastTurn++;
                turns.set(TURN, lastTurn);
            }
        }
    }
}
