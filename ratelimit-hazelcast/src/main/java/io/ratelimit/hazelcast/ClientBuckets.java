package io.ratelimit.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.core.wire.Wire;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All buckets of a client in one service that are not full, were so lately, or were given something back: the value of a
 * map entry. Immutable once it has arrived.
 *
 * <p>In memory the states are points in time on the clock of the member that holds them. They travel as distances from
 * full and are anchored on the receiver's clock at arrival, when Hazelcast tells the object which instance it is on.
 */
final class ClientBuckets implements IdentifiedDataSerializable, HazelcastInstanceAware {

    /** A bucket under way between two clocks. */
    private static final class Departed {

        private final SpecForm bucket;
        private final long[][] states;
        private final long[][] refunds;

        private Departed(SpecForm bucket, long[][] states, long[][] refunds) {
            this.bucket = bucket;
            this.states = states;
            this.refunds = refunds;
        }

        private static Departed of(BucketSlot slot, Moment now) {
            return new Departed(
                    slot.bucket().form(), slot.departing(now), slot.refunds().depart(slot.spec(), now));
        }

        private BucketSlot arriveAt(MemberContext member, Moment now) {
            return BucketSlot.arrived(member.spec(bucket), states, refunds, now);
        }

        private void writeTo(DataOutput out) throws IOException {
            bucket.writeTo(out);
            Wire.writeStates(out, states);
            Wire.writeStates(out, refunds);
        }

        private static Departed readFrom(DataInput in) throws IOException {
            return new Departed(SpecForm.readFrom(in), Wire.readStates(in), Wire.readStates(in));
        }
    }

    private static final long CALLS_TAG = 1;

    private @Nullable MemberContext member;
    private Moment written = Moment.ofNanos(0);
    private List<BucketSlot> slots;
    private RecentCalls calls;

    /** Empty from the arrival on. */
    private List<Departed> departed = List.of();

    /** For reading, and for a client whose buckets are all full. */
    ClientBuckets() {
        this.slots = List.of();
        this.calls = RecentCalls.NONE;
    }

    private ClientBuckets(MemberContext member, Moment written, List<BucketSlot> slots, RecentCalls calls) {
        this.member = member;
        this.written = written;
        this.slots = slots;
        this.calls = calls;
    }

    /**
     * Buckets as they are now; those that need not be kept are left out.
     *
     * @param member whose clock the states are on
     * @param calls the calls that have changed them last
     */
    static ClientBuckets of(MemberContext member, Moment now, List<BucketSlot> slots, RecentCalls calls) {
        List<BucketSlot> kept = new ArrayList<>(slots.size());
        for (BucketSlot slot : slots) {
            if (slot.keptNanos(now) > 0) {
                kept.add(slot);
            }
        }
        return new ClientBuckets(member, now, kept, calls);
    }

    /** The calls that have changed these buckets last. */
    RecentCalls calls() {
        return calls;
    }

    boolean isEmpty() {
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

    /** Whether nothing of this need be kept any longer, by the clock of the member that it is on. */
    boolean isForgotten() {
        return member != null && keptNanos(member.now()) <= 0;
    }

    /** How much longer they are to be kept, in nanoseconds. */
    long keptNanos(Moment now) {
        long longest = 0;
        for (BucketSlot slot : slots) {
            longest = Math.max(longest, slot.keptNanos(now));
        }
        return longest;
    }

    /**
     * These buckets, and the calls that changed them, joined with those of another copy of the entry on the same member.
     *
     * @param conflict chooses where both have a bucket of the same name
     */
    ClientBuckets join(ClientBuckets other, MemberContext on, BinaryOperator<BucketSlot> conflict) {
        Moment now = on.now();
        List<BucketSlot> joined = new ArrayList<>(slots(now));
        for (BucketSlot slot : other.slots(now)) {
            int known = SlotEdit.indexOf(joined, slot.name());
            if (known < 0) {
                joined.add(slot);
            } else {
                joined.set(known, conflict.apply(joined.get(known), slot));
            }
        }
        return of(on, now, joined, calls);
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance instance) {
        if (member == null) {
            arriveAt(MemberContext.of(instance));
        }
    }

    /** Turns distances into points in time. */
    void arriveAt(MemberContext arrivedAt) {
        Moment now = arrivedAt.now();
        slots = departed.stream().map(slot -> slot.arriveAt(arrivedAt, now)).toList();
        departed = List.of();
        member = arrivedAt;
        written = now;
    }

    @Override
    public int getFactoryId() {
        return BucketSerializerHook.FACTORY_ID;
    }

    @Override
    public int getClassId() {
        return BucketSerializerHook.CLIENT_BUCKETS;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeByte(Form.CURRENT);
        Wire.writeAll(out, leaving(), slot -> slot.writeTo(out));
        Wire.writeAddition(out, CALLS_TAG, calls.toBytes());
    }

    private List<Departed> leaving() {
        MemberContext on = member;
        if (on == null) {
            return departed;
        }
        Moment now = on.now();
        return slots(now).stream().map(slot -> Departed.of(slot, now)).toList();
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        Wire.readForm(in, Form.CURRENT);
        departed = Wire.readAll(in, () -> Departed.readFrom(in));
        byte[] sentCalls = Wire.readAddition(in, CALLS_TAG);
        calls = sentCalls == null ? RecentCalls.NONE : RecentCalls.of(sentCalls);
    }
}
