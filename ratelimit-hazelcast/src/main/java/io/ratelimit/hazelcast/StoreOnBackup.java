package io.ratelimit.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.wire.Wire;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Stores on a backup what the owner has computed. */
final class StoreOnBackup
        implements EntryProcessor<UUID, ClientBuckets, BucketAnswer>,
                IdentifiedDataSerializable,
                HazelcastInstanceAware {

    private ClientBuckets buckets;
    private transient @Nullable MemberContext member;

    /** For reading. */
    StoreOnBackup() {
        this(new ClientBuckets());
    }

    StoreOnBackup(ClientBuckets buckets) {
        this.buckets = buckets;
    }

    @Override
    public @Nullable BucketAnswer process(Map.Entry<UUID, ClientBuckets> entry) {
        buckets.storeIn(entry, member == null ? Moment.ofNanos(0) : member.now());
        return null;
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance instance) {
        member = MemberContext.of(instance);
        buckets.setHazelcastInstance(instance);
    }

    @Override
    public int getFactoryId() {
        return BucketSerializerHook.FACTORY_ID;
    }

    @Override
    public int getClassId() {
        return BucketSerializerHook.STORE_ON_BACKUP;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeByte(Form.CURRENT);
        buckets.writeData(out);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        Wire.readForm(in, Form.CURRENT);
        buckets.readData(in);
    }
}
