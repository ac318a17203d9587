package io.ratelimit.hazelcast;

import com.hazelcast.cluster.Member;
import com.hazelcast.partition.PartitionService;
import io.ratelimit.core.bucket.OwnerBreaker;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** A breaker for each member that owns buckets. Thread-safe. */
final class OwnerBreakers {

    /** Stands for the owner of a partition that has none for the moment. */
    private static final UUID NOBODY = new UUID(0, 0);

    private final PartitionService partitions;
    private final ConcurrentMap<UUID, OwnerBreaker> breakers = new ConcurrentHashMap<>();

    OwnerBreakers(PartitionService partitions) {
        this.partitions = partitions;
    }

    /** The breaker of the member that has a client's buckets. */
    OwnerBreaker of(UUID key) {
        Member owner = partitions.getPartition(key).getOwner();
        UUID id = owner == null ? NOBODY : owner.getUuid();
        OwnerBreaker known = breakers.get(id);
        return known == null ? breakers.computeIfAbsent(id, made -> new OwnerBreaker()) : known;
    }

    /** The name of that member in a message. */
    String ownerOf(UUID key) {
        Member owner = partitions.getPartition(key).getOwner();
        return owner == null ? "the owner of a client's buckets" : "member " + HazelcastBucketStore.nameOf(owner);
    }

    /** A member has left: what it still owes is owed by another. */
    void forget(Member member) {
        breakers.remove(member.getUuid());
    }
}
