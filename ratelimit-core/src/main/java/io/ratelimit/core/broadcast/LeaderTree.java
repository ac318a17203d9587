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

    private final int range;
    private final Ranked self;
    private final @Nullable UUID above;

    /**
     * A host and its weight.
     *
     * @param weight the larger, the nearer to the leader
     */
    private record Ranked(long weight, UUID host) implements Comparable<Ranked> {

        private static Ranked of(int range, UUID host) {
            long weight = Hashing.murmur3_128(range)
                    .newHasher(16)
                    .putLong(host.getMostSignificantBits())
                    .putLong(host.getLeastSignificantBits())
                    .hash()
                    .asLong();
            return new Ranked(weight, host);
        }

        @Override
        public int compareTo(Ranked other) {
            int byWeight = Long.compare(weight, other.weight);
            return byWeight == 0 ? host.compareTo(other.host) : byWeight;
        }
    }

    /**
     * Puts hosts in order.
     *
     * @param range which keys, at least 0
     * @param self this host
     * @param hosts all that are known
     */
    LeaderTree(int range, UUID self, Collection<UUID> hosts) {
        this.range = range;
        this.self = Ranked.of(range, self);
        this.above = above(hosts.stream()
                .map(host -> Ranked.of(range, host))
                .filter(host -> host.compareTo(this.self) > 0)
                .toList());
    }

    private static @Nullable UUID above(List<Ranked> higher) {
        if (higher.isEmpty()) {
            return null;
        }
        int place = (higher.size() - 1) / WIDTH;
        return higher.stream()
                .collect(Comparators.greatest(place + 1, Comparator.<Ranked>naturalOrder()))
                .get(place)
                .host();
    }

    /** The host that this one tells; null if it leads. */
    @Nullable
    UUID above() {
        return above;
    }

    /** Whether a host may tell this one. */
    boolean isBelow(UUID host) {
        return Ranked.of(range, host).compareTo(self) < 0;
    }
}
