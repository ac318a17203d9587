package io.ratelimit.core.entry;

import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.wire.SpecForm;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One change of a client's entry, at one point in time. For one thread. */
public final class EntryEdit {

    private static final int NEW = -1;

    private final KnownSpecs specs;
    private final Moment now;
    private final long clockId;
    private final List<BucketSlot> slots;
    private RecentCalls calls;
    private boolean changed;

    /**
     * Begins a change.
     *
     * @param before the entry, on the clock that the time is of; an empty one for a client of whom nothing is known
     * @param specs what forms of limits mean
     * @param now the time
     * @param clockId tells that clock from others
     */
    public EntryEdit(ClientEntry before, KnownSpecs specs, Moment now, long clockId) {
        this.calls = before.calls();
        this.slots = new ArrayList<>(before.slots(now));
        this.specs = specs;
        this.now = now;
        this.clockId = clockId;
    }

    static int indexOf(List<BucketSlot> slots, String name) {
        for (int i = 0; i < slots.size(); i++) {
            if (slots.get(i).name().equals(name)) {
                return i;
            }
        }
        return NEW;
    }

    /**
     * When the change is made.
     *
     * @return the time
     */
    public Moment now() {
        return now;
    }

    /** Whose clock the time is on. */
    long clockId() {
        return clockId;
    }

    /** What a spec of a message means. */
    NamedSpec spec(SpecForm form) {
        return specs.of(form);
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
     * The entry after the change.
     *
     * @return what is to be written, empty if the entry is to be removed; null if nothing has changed
     */
    public @Nullable ClientEntry result() {
        return changed ? ClientEntry.of(now, slots, calls) : null;
    }
}
