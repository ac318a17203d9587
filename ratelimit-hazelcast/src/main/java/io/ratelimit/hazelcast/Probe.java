package io.ratelimit.hazelcast;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.partition.Partition;
import com.hazelcast.partition.PartitionService;
import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.entry.TrialCharges;
import io.ratelimit.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Sends charges of its own through the whole store, to find out whether it works and to make it quick. */
final class Probe {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(4);
    private static final int ROUNDS = 8;
    private static final int MOST_CLIENTS = 20_000;

    private final HazelcastBucketStore store;
    private final TrialCharges trial;
    private final PartitionService partitions;

    Probe(HazelcastBucketStore store, HazelcastInstance instance) {
        this.store = store;
        this.trial = new TrialCharges(store, PATIENCE);
        this.partitions = instance.getPartitionService();
    }

    /**
     * Looks at a bucket on each member.
     *
     * @throws StoreException if a member cannot answer
     */
    void askEveryMember() {
        Set<Member> asked = new HashSet<>();
        for (ClientIdentifier client : oneClientForEachPartition()) {
            Member owner = partitionOf(client).getOwner();
            if (owner != null && asked.add(owner)) {
                ask(client, owner);
            }
        }
    }

    /** Spends and gives back on every partition, until all code of a decision has run often enough to be compiled. */
    void warmUp() {
        try {
            trial.warmUp(oneClientForEachPartition(), ROUNDS, LONGEST_WARM_UP);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void ask(ClientIdentifier client, Member owner) {
        try {
            trial.look(client);
        } catch (ExecutionException | TimeoutException e) {
            throw new StoreException("store-error", whatIsWrong(owner, e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(
                    "store-error", "interrupted while waiting for " + HazelcastBucketStore.nameOf(owner));
        }
    }

    private static String whatIsWrong(Member owner, Exception failure) {
        String member = HazelcastBucketStore.nameOf(owner);
        return isCausedBy(failure, HazelcastSerializationException.class) || isCausedBy(failure, LinkageError.class)
                ? "member " + member + " does not know how to read buckets: put ratelimit-hazelcast and what it"
                        + " stands on on the class path of every member before it starts"
                : "member " + member + " does not answer: " + failure;
    }

    private static boolean isCausedBy(Throwable failure, Class<? extends Throwable> type) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }

    private List<ClientIdentifier> oneClientForEachPartition() {
        int count = partitions.getPartitions().size();
        Set<Integer> covered = new HashSet<>();
        List<ClientIdentifier> clients = new ArrayList<>(count);
        for (int i = 0; i < MOST_CLIENTS && covered.size() < count; i++) {
            ClientIdentifier client = ClientIdentifier.of("probe", Integer.toString(i));
            if (covered.add(partitionOf(client).getPartitionId())) {
                clients.add(client);
            }
        }
        return clients;
    }

    private Partition partitionOf(ClientIdentifier client) {
        return partitions.getPartition(store.keyOf(TrialCharges.SERVICE, client));
    }
}
