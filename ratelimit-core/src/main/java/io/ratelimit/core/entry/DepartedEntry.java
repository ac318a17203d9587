package io.ratelimit.core.entry;

import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.core.wire.Wire;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/** A client's entry under way between two clocks: its states are distances from full. Immutable. */
public final class DepartedEntry {

    /** Without buckets. */
    public static final DepartedEntry EMPTY = new DepartedEntry(List.of(), RecentCalls.NONE);

    private static final long CALLS_TAG = 1;

    /** A bucket under way. */
    private static final class Slot {

        private final SpecForm bucket;
        private final long[][] states;
        private final long[][] refunds;

        private Slot(SpecForm bucket, long[][] states, long[][] refunds) {
            this.bucket = bucket;
            this.states = states;
            this.refunds = refunds;
        }

        private static Slot of(BucketSlot slot, Moment now) {
            return new Slot(
                    slot.bucket().form(), slot.departing(now), slot.refunds().depart(slot.spec(), now));
        }

        private BucketSlot arrive(KnownSpecs specs, Moment now) {
            return BucketSlot.arrived(specs.of(bucket), states, refunds, now);
        }

        private void writeTo(DataOutput out) throws IOException {
            bucket.writeTo(out);
            Wire.writeStates(out, states);
            Wire.writeStates(out, refunds);
        }

        private static Slot readFrom(DataInput in) throws IOException {
            return new Slot(SpecForm.readFrom(in), Wire.readStates(in), Wire.readStates(in));
        }
    }

    private final List<Slot> slots;
    private final RecentCalls calls;

    private DepartedEntry(List<Slot> slots, RecentCalls calls) {
        this.slots = slots;
        this.calls = calls;
    }

    static DepartedEntry of(List<BucketSlot> slots, RecentCalls calls, Moment now) {
        return new DepartedEntry(slots.stream().map(slot -> Slot.of(slot, now)).toList(), calls);
    }

    /**
     * What the buckets count by.
     *
     * @return a form for each bucket
     */
    public List<SpecForm> buckets() {
        return slots.stream().map(slot -> slot.bucket).toList();
    }

    /**
     * The entry on another clock.
     *
     * @param specs what forms mean
     * @param now the time on that clock
     * @return the entry, written just now
     */
    public ClientEntry arrive(KnownSpecs specs, Moment now) {
        return ClientEntry.of(
                now, slots.stream().map(slot -> slot.arrive(specs, now)).toList(), calls);
    }

    /**
     * Writes the entry, without the form of the message that it is in: a change here needs another form in every store.
     *
     * @param out the message
     * @throws IOException if it cannot be written
     */
    public void writeTo(DataOutput out) throws IOException {
        Wire.writeAll(out, slots, slot -> slot.writeTo(out));
        Wire.writeAddition(out, CALLS_TAG, calls.toBytes());
    }

    /**
     * Reads an entry.
     *
     * @param in the message
     * @return the entry
     * @throws IOException if the message ends, or is damaged
     */
    public static DepartedEntry readFrom(DataInput in) throws IOException {
        List<Slot> slots = Wire.readAll(in, () -> Slot.readFrom(in));
        byte[] sentCalls = Wire.readAddition(in, CALLS_TAG);
        return new DepartedEntry(slots, sentCalls == null ? RecentCalls.NONE : RecentCalls.of(sentCalls));
    }
}
