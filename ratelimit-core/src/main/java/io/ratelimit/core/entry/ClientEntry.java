package io.ratelimit.core.entry;

import io.ratelimit.core.algorithm.Moment;
import java.util.ArrayList;
import java.util.List;

/**
 * All buckets of a client in one service that are not full, were so lately, or were given something back. The states are
 * points in time on the clock by which the entry was written. Immutable.
 */
public final class ClientEntry {

    /** Of a client whose buckets are all full. */
    public static final ClientEntry EMPTY = new ClientEntry(Moment.ofNanos(0), List.of(), RecentCalls.NONE);

    private final Moment written;
    private final List<BucketSlot> slots;
    private final RecentCalls calls;

    private ClientEntry(Moment written, List<BucketSlot> slots, RecentCalls calls) {
        this.written = written;
        this.slots = slots;
        this.calls = calls;
    }

    /**
     * Buckets as they are now; those that need not be kept are left out.
     *
     * @param calls the calls that have changed them last
     */
    static ClientEntry of(Moment now, List<BucketSlot> slots, RecentCalls calls) {
        List<BucketSlot> kept = new ArrayList<>(slots.size());
        for (BucketSlot slot : slots) {
            if (slot.keptNanos(now) > 0) {
                kept.add(slot);
            }
        }
        return new ClientEntry(now, kept, calls);
    }

    /** The calls that have changed these buckets last. */
    RecentCalls calls() {
        return calls;
    }

    /**
     * Whether there is nothing to be kept.
     *
     * @return true if there are no buckets
     */
    public boolean isEmpty() {
        return slots.isEmpty();
    }

    /** The buckets as they are to be read now. */
    List<BucketSlot> slots(Moment now) {
        List<BucketSlot> refreshed = new ArrayList<>(slots.size());
        for (BucketSlot slot : slots) {
            if (slot.keptNanos(now) > 0) {
                refreshed.add(slot.refreshed(written, now));
            }
        }
        return refreshed;
    }

    /**
     * How much longer the entry is to be kept.
     *
     * @param now the time
     * @return nanoseconds; 0 if it may be forgotten
     */
    public long keptNanos(Moment now) {
        long longest = 0;
        for (BucketSlot slot : slots) {
            longest = Math.max(longest, slot.keptNanos(now));
        }
        return longest;
    }

    /**
     * The entry after two copies of it went apart: of each bucket the one with the fewest tokens, under the newer limits or,
     * of one version, the tighter ones.
     *
     * @param other the other copy, on the same clock; the calls that changed it are forgotten
     * @param now the time
     * @return one entry
     */
    public ClientEntry merged(ClientEntry other, Moment now) {
        List<BucketSlot> joined = new ArrayList<>(slots(now));
        for (BucketSlot slot : other.slots(now)) {
            int known = EntryEdit.indexOf(joined, slot.name());
            if (known < 0) {
                joined.add(slot);
            } else {
                joined.set(known, fewerTokens(joined.get(known), slot, now));
            }
        }
        return of(now, joined, calls);
    }

    private static BucketSlot fewerTokens(BucketSlot one, BucketSlot other, Moment now) {
        BucketSlot left = one.under(other.bucket(), now);
        BucketSlot right = other.under(left.bucket(), now);
        return left.with(left.spec().tighter(left.states(), right.states(), now), now);
    }

    /**
     * The entry as it can travel.
     *
     * @param now the time
     * @return what is not forgotten by now
     */
    public DepartedEntry depart(Moment now) {
        return DepartedEntry.of(slots(now), calls, now);
    }
}
