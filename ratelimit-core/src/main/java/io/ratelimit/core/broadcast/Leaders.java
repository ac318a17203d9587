package io.ratelimit.core.broadcast;

import io.ratelimit.store.HostGroup;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Who leads for each range of keys, for as long as the same hosts are known. Thread-safe. */
final class Leaders {

    /** So that each host leads for some of the keys, where hosts are few. */
    private static final int RANGES = 16;

    private final UUID self;
    private final List<UUID> hosts;
    private final int mostSums;
    private final long sinceNanos;
    private final Range @Nullable [] before;
    private final AtomicReferenceArray<Range> ranges = new AtomicReferenceArray<>(RANGES);

    /**
     * A range of keys.
     *
     * @param tree who leads
     * @param heardAbove what the host above has told since it is the one above
     */
    record Range(LeaderTree tree, HeardConsumption heardAbove) {}

    private Leaders(HostGroup group, List<UUID> hosts, int mostSums, long nanos, Range @Nullable [] before) {
        this.self = group.self();
        this.hosts = hosts;
        this.mostSums = mostSums;
        this.sinceNanos = nanos;
        this.before = before;
    }

    /**
     * The leaders among those who are there.
     *
     * @param mostSums how many sums of hosts above are remembered, in all ranges together
     */
    static Leaders among(HostGroup group, int mostSums, long nanos) {
        return new Leaders(group, group.members(), mostSums, nanos, null);
    }

    /** The leaders among those who are there now. */
    Leaders now(HostGroup group, long nanos) {
        List<UUID> present = group.members();
        if (present.equals(hosts)) {
            return this;
        }
        Range[] known = new Range[RANGES];
        for (int i = 0; i < RANGES; i++) {
            known[i] = last(i);
        }
        return new Leaders(group, present, mostSums, nanos, known);
    }

    /** The range that a key is of; who leads for it is worked out once, when it is needed. */
    Range of(UUID key) {
        int place = Math.floorMod(key.hashCode(), RANGES);
        Range known = ranges.get(place);
        if (known != null) {
            return known;
        }
        ranges.compareAndSet(place, null, made(place));
        return ranges.get(place);
    }

    /** The host that is told of a sum; null if this host leads. */
    @Nullable
    UUID above(RelayedSum sum) {
        return of(sum.place().key()).tree().above();
    }

    private Range made(int place) {
        LeaderTree tree = new LeaderTree(place, self, hosts);
        Range known = before == null ? null : before[place];
        if (known != null && Objects.equals(tree.above(), known.tree().above())) {
            return new Range(tree, known.heardAbove());
        }
        // What another host above tells of the time before has been heard from the one before it.
        return new Range(tree, new HeardConsumption(sinceNanos, Math.max(1, mostSums / RANGES)));
    }

    void sweep(long nanos) {
        for (int i = 0; i < RANGES; i++) {
            Range range = last(i);
            if (range != null) {
                range.heardAbove().sweep(nanos);
            }
        }
    }

    /** As it was when it was last needed; null if it never was. */
    private @Nullable Range last(int place) {
        Range known = ranges.get(place);
        return known == null && before != null ? before[place] : known;
    }
}
