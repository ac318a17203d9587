package io.ratelimit.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.ExtendedMapEntry;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.entry.ClientEntry;
import io.ratelimit.core.entry.DepartedEntry;
import io.ratelimit.core.wire.Wire;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client's entry as the value of a map entry. In memory its states are points in time on the clock of the member that
 * holds it. They travel as distances from full and are anchored on the receiver's clock at arrival, when Hazelcast tells
 * the object which instance it is on. Immutable once it has arrived.
 */
final class ClientBuckets implements IdentifiedDataSerializable, HazelcastInstanceAware {

    /**
     * How much longer than the buckets are kept an entry may live by the members' wall clocks, in seconds. These may be set
     * forward, or differ; that must not give a client a full bucket.
     */
    static final long SPARE_SECONDS = TimeUnit.HOURS.toSeconds(2);

    /** Hazelcast counts the seconds of an expiry in 31 bits from 2018 on and takes what is beyond for never. */
    private static final long MOST_SECONDS = TimeUnit.DAYS.toSeconds(20 * 365);

    private @Nullable MemberContext member;
    private ClientEntry entry = ClientEntry.EMPTY;

    /** Empty from the arrival on. */
    private DepartedEntry departed = DepartedEntry.EMPTY;

    /** For reading, and for a client whose buckets are all full. */
    ClientBuckets() {}

    /**
     * Makes a value.
     *
     * @param member whose clock the states are on
     * @param entry the buckets
     */
    ClientBuckets(MemberContext member, ClientEntry entry) {
        this.member = member;
        this.entry = entry;
    }

    ClientEntry entry() {
        return entry;
    }

    /** Whether nothing of this need be kept any longer, by the clock of the member that it is on. */
    boolean isForgotten() {
        return member != null && entry.keptNanos(member.now()) <= 0;
    }

    /** Becomes the value of a map entry, or removes one of which nothing is to be kept. */
    @SuppressWarnings("NullAway") // null removes the entry
    void storeIn(Map.Entry<UUID, ClientBuckets> place, Moment now) {
        if (entry.isEmpty()) {
            place.setValue(null);
        } else {
            long seconds = ceilSeconds(entry.keptNanos(now)) + SPARE_SECONDS;
            ((ExtendedMapEntry<UUID, ClientBuckets>) place)
                    .setValue(this, Math.min(seconds, MOST_SECONDS), TimeUnit.SECONDS);
        }
    }

    private static long ceilSeconds(long nanos) {
        return -Math.floorDiv(-nanos, TimeUnit.SECONDS.toNanos(1));
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance instance) {
        if (member == null) {
            arriveAt(MemberContext.of(instance));
        }
    }

    /** Turns distances into points in time. */
    void arriveAt(MemberContext arrivedAt) {
        entry = departed.arrive(arrivedAt.specs(), arrivedAt.now());
        departed = DepartedEntry.EMPTY;
        member = arrivedAt;
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
        MemberContext on = member;
        (on == null ? departed : entry.depart(on.now())).writeTo(out);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        Wire.readForm(in, Form.CURRENT);
        departed = DepartedEntry.readFrom(in);
    }
}
