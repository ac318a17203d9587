package io.ratelimit.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.ratelimit.core.algorithm.Moment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All buckets of a client in one service that are not full: the value of a map entry. Immutable once it has arrived.
 *
 * <p>In memory the states are points in time on the clock of the member that holds them. They travel as distances from
 * full and are anchored on the receiver's clock at arrival, when Hazelcast tells the object which instance it is on.
 */
final class ClientBuckets implements IdentifiedDataSerializable, HazelcastInstanceAware {

    private @Nullable MemberContext member;
    private Moment written = Moment.ofNanos(0);
    private List<BucketSlot> slots;

    /** For reading, and for a client whose buckets are all full. */
    ClientBuckets() {
        this.slots = List.of();
    }

    private ClientBuckets(MemberContext member, Moment written, List<BucketSlot> slots) {
        this.member = member;
        this.written = written;
        this.slots = slots;
    }

    /**
     * Buckets as they are now; full ones are left out.
     *
     * @param member whose clock the states are on
     */
    static ClientBuckets of(MemberContext member, Moment now, List<BucketSlot> slots) {
        return new ClientBuckets(
                member, now, slots.stream().filter(slot -> !slot.isFull(now)).toList());
    }

    boolean isEmpty() {
        return slots.isEmpty();
    }

    /** The buckets as they are to be read now. */
    List<BucketSlot> slots(Moment now) {
        return slots.stream().map(slot -> slot.refreshed(written, now)).toList();
    }

    /** The time until all are full, in nanoseconds. */
    long fullNanos(Moment now) {
        return slots(now).stream().mapToLong(slot -> slot.fullNanos(now)).max().orElse(0);
    }

    /**
     * These buckets joined with those of another copy of the entry on the same member.
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
        return of(on, now, joined);
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance instance) {
        if (member == null) {
            arriveAt(MemberContext.of(instance));
        }
    }

    /** Turns distances into points in time. */
    void arriveAt(MemberContext arrivedAt) {
        member = arrivedAt;
        written = arrivedAt.now();
        slots = slots.stream()
                .map(slot -> BucketSlot.arrived(arrivedAt.shared(slot.bucket()), slot.states(), written))
                .toList();
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
        Wire.writeVersion(out);
        Moment now = member == null ? written : member.now();
        List<BucketSlot> leaving = member == null ? slots : slots(now);
        out.writeInt(leaving.size());
        for (BucketSlot slot : leaving) {
            Wire.writeSpec(out, slot.bucket());
            Wire.writeStates(out, member == null ? slot.states() : slot.departing(now));
        }
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        Wire.readVersion(in);
        int count = Wire.readCount(in);
        List<BucketSlot> arriving = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            NamedSpec bucket = Wire.readSpec(in);
            arriving.add(new BucketSlot(bucket, Wire.readStates(in)));
        }
        slots = List.copyOf(arriving);
    }
}
