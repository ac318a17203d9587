package io.ratelimit.core.broadcast;

import com.google.common.collect.Comparators;
import com.google.common.hash.Hashing;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who leads for a range of keys, and by way of whom the leader is told: a tree in which no host has more than a few below
 * it. Hosts are put in order by a hash of the host and the range (highest random weight: D. G. Thaler and C. V.
 * Ravishankar, "Using Name-Based Mappings to Increase Hit Rates", IEEE/ACM Transactions on Networking 6(1), 1998); the
 * first one leads. So a host that comes or goes changes little, each range has another leader, and of any two hosts it is
 * certain which may be above the other, whomever else they know: sums never go in circles. Immutable.
 */
final class LeaderTree {

    /** How many hosts tell one other host at most, where all agree who is there. */
    static final int WIDTH = 16;

    private final UUID self;
    private final Comparator<UUID> order;
    private final @Nullable UUID above;

    /**
     * Puts hosts in order.
     *
     * @param range which keys, at least 0
     * @param self this host
     * @param hosts all that are known
     */
    LeaderTree(int range, UUID self, Collection<UUID> hosts) {
        this.self = self;
        this.order =
                Comparator.<UUID>comparingLong(host -> weight(range, host)).thenComparing(Comparator.naturalOrder());
        this.above = above(
                hosts.stream().filter(host -> order.compare(host, self) > 0).toList());
    }

    private @Nullable UUID above(List<UUID> higher) {
        if (higher.isEmpty()) {
            return null;
        }
        int place = (higher.size() - 1) / WIDTH;
        return higher.stream().collect(Comparators.greatest(place + 1, order)).get(place);
    }

    private static long weight(int range, UUID host) {
        return Hashing.murmur3_128(range)
                .newHasher(16)
                .putLong(host.getMostSignificantBits())
                .putLong(host.getLeastSignificantBits())
                .hash()
                .asLong();
    }

    /** The host that this one tells; null if it leads. */
    @Nullable
    UUID above() {
        return above;
    }

    /** Whether a host may tell this one. */
    boolean isBelow(UUID host) {
        return order.compare(host, self) < 0;
    }
}
