package io.ratelimit.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.partition.PartitionService;
import com.hazelcast.query.Predicates;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the entries of idle clients from the whole cluster, every few seconds, on one host at a time. Hazelcast would do so
 * by the wall clock, which is no measure for buckets.
 */
final class EntrySweep implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EntrySweep.class);

    /** The map that says whose turn it is. */
    private static final String TURNS = "ratelimit.turns";

    private static final String TURN = "sweep";
    private static final long PERIOD_MILLIS = 5_000;

    private final IMap<UUID, ClientBuckets> buckets;
    private final IMap<String, Boolean> turns;
    private final PartitionService partitions;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(EntrySweep::sweepThread);

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
            // A turn ends a little before the next begins, so that it is never missed.
            if (turns.putIfAbsent(TURN, true, PERIOD_MILLIS - 500, TimeUnit.MILLISECONDS) == null) {
                sweepAll();
            }
        } catch (RuntimeException e) {
            LOG.debug("Idle clients are not forgotten now; their entries end by themselves", e);
        }
    }

    /** One partition after the other, so that requests wait for one of them at most. */
    private void sweepAll() {
        Set<Integer> swept = new HashSet<>();
        for (long i = 0; swept.size() < partitions.getPartitions().size() && !thread.isShutdown(); i++) {
            UUID key = new UUID(0, i);
            if (swept.add(partitions.getPartition(key).getPartitionId())) {
                buckets.removeAll(Predicates.partitionPredicate(key, new ForgottenPredicate()));
            }
        }
    }

    /** Sweeps no more; a sweep that is under way is given up. */
    @Override
    public void close() {
        thread.shutdownNow();
    }

    private static Thread sweepThread(Runnable work) {
        Thread made = new Thread(work, "ratelimit-entries");
        made.setDaemon(true);
        return made;
    }
}
