package io.ratelimit.hazelcast;

import com.hazelcast.map.ExtendedMapEntry;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.wire.SpecForm;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One change of a client's entry on the member that owns it, at one point in time. */
final class SlotEdit {

    /**
     * How much longer than the buckets are kept an entry may live by the members' wall clocks, in seconds. These may be set
     * forward, or differ; that must not give a client a full bucket.
     */
    static final long SPARE_SECONDS = TimeUnit.HOURS.toSeconds(2);

    private static final int NEW = -1;

    /** Hazelcast counts the seconds of an expiry in 31 bits from 2018 on and takes what is beyond for never. */
    private static final long MOST_SECONDS = TimeUnit.DAYS.toSeconds(20 * 365);

    private final MemberContext member;
    private final Moment now;
    private final List<BucketSlot> slots;
    private RecentCalls calls;
    private boolean changed;

    SlotEdit(MemberContext member, @Nullable ClientBuckets before) {
        this.calls = before == null ? RecentCalls.NONE : before.calls();
        this.member = member;
        this.now = member.now();
        this.slots = before == null ? new ArrayList<>() : new ArrayList<>(before.slots(now));
    }

    static int indexOf(List<BucketSlot> slots, String name) {
        for (int i = 0; i < slots.size(); i++) {
            if (slots.get(i).name().equals(name)) {
                return i;
            }
        }
        return NEW;
    }

    Moment now() {
        return now;
    }

    /** Whose clock the time is on. */
    long clockId() {
        return member.clockId();
    }

    /** What a spec of a message means. */
    NamedSpec spec(SpecForm form) {
        return member.spec(form);
    }

    /** A client's bucket under the limits in force: those asked for, or newer ones that another host has brought. */
    BucketSlot touch(NamedSpec asked) {
        int index = indexOf(slots, asked.name());
        if (index == NEW) {
            return BucketSlot.full(asked, now);
        }
        BucketSlot slot = slots.get(index);
        if (asked.spec().replaces(slot.spec())) {
            slot = slot.under(asked, now);
            slots.set(index, slot);
            changed = true;
        }
        return slot;
    }

    void put(BucketSlot slot) {
        int index = indexOf(slots, slot.name());
        if (index == NEW) {
            slots.add(slot);
        } else {
            slots.set(index, slot);
        }
        changed = true;
    }

    /** Which steps of a call were allowed if it was made before; null if it was not. */
    @Nullable
    BitSet allowedIn(long call) {
        return call == CallIds.NONE ? null : calls.allowed(call);
    }

    /** Remembers a call, if it has changed anything. */
    void remember(long call, BitSet allowed) {
        if (changed && call != CallIds.NONE) {
            calls = calls.with(call, allowed);
        }
    }

    /** Has the entry written even if its buckets stay as they are. */
    void rewrite() {
        changed = true;
    }

    /**
     * Writes the entry, if anything has changed.
     *
     * @return what the backup must store, without buckets if the entry was removed; null if nothing has changed
     */
    @Nullable
    ClientBuckets writeTo(Map.Entry<UUID, ClientBuckets> entry) {
        if (!changed) {
            return null;
        }
        ClientBuckets after = ClientBuckets.of(member, now, slots, calls);
        write(entry, after, now);
        return after;
    }

    /** Writes an entry, or removes one of which nothing is to be kept. */
    @SuppressWarnings("NullAway") // null removes the entry
    static void write(Map.Entry<UUID, ClientBuckets> entry, ClientBuckets after, Moment now) {
        if (after.isEmpty()) {
            entry.setValue(null);
        } else {
            long seconds = ceilSeconds(after.keptNanos(now)) + SPARE_SECONDS;
            ((ExtendedMapEntry<UUID, ClientBuckets>) entry)
                    .setValue(after, Math.min(seconds, MOST_SECONDS), TimeUnit.SECONDS);
        }
    }

    private static long ceilSeconds(long nanos) {
        return -Math.floorDiv(-nanos, TimeUnit.SECONDS.toNanos(1));
    }
}
