package io.ratelimit.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.partition.PartitionService;
import com.hazelcast.query.Predicates;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the entries of idle clients from the whole cluster, every few seconds, on one host at a time. Hazelcast would do so
 * by the wall clock, which is no measure for buckets.
 *
 * <p>Hosts take turns by a number that all can read: whoever sweeps counts it up, before and meanwhile. Who finds it as it
 * was five seconds ago takes the next turn.
 */
final class EntrySweep implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EntrySweep.class);

    private static final String TURNS = "ratelimit.turns";
    private static final String TURN = "sweep";
    private static final long PERIOD_MILLIS = 5_000;
    private static final long SIGN_OF_LIFE_NANOS = TimeUnit.MILLISECONDS.toNanos(PERIOD_MILLIS / 3);

    private final IMap<UUID, ClientBuckets> buckets;
    private final IMap<String, Long> turns;
    private final PartitionService partitions;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(EntrySweep::sweepThread);

    /** A key on each partition. */
    private final Map<Integer, UUID> keys = new HashMap<>();

    private @Nullable Long lastTurn;

    /**
     * Makes a sweep that has not begun.
     *
     * @param instance the cluster
     * @param partitions its partitions
     */
    EntrySweep(HazelcastInstance instance, PartitionService partitions) {
        this.buckets = instance.getMap(HazelcastBucketStore.MAP);
        this.turns = instance.getMap(TURNS);
        this.partitions = partitions;
    }

    void begin() {
        thread.scheduleWithFixedDelay(this::sweep, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void sweep() {
        try {
            if (takeTurn()) {
                findKeys();
                sweepAll();
            }
        } catch (RuntimeException e) {
            LOG.debug("Idle clients are not forgotten now; their entries end by themselves", e);
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
            if (thread.isShutdown()) {
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

    /** Sweeps no more; a sweep that is under way is given up. */
    @Override
    public void close() {
        thread.shutdownNow();
    }

    /** After {@link #close}, waits until the thread is gone. */
    void awaitEnd(long millis) throws InterruptedException {
        thread.awaitTermination(millis, TimeUnit.MILLISECONDS);
    }

    private static Thread sweepThread(Runnable work) {
        Thread made = new Thread(work, "ratelimit-entries");
        made.setDaemon(true);
        return made;
    }
}
