package io.ratelimit.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.merge.MergingEntry;
import com.hazelcast.spi.merge.SplitBrainMergePolicy;
import io.ratelimit.core.entry.EntryCall;
import io.ratelimit.core.wire.Wire;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * After a split, the bucket with fewer tokens wins: each side saw at most what was really used. Of two rule sets the
 * newer one wins, of two with the same version the tighter limits. Made by Hazelcast.
 */
public final class FewerTokensMergePolicy
        implements SplitBrainMergePolicy<Object, MergingEntry<Object, Object>, Object>,
                IdentifiedDataSerializable,
                HazelcastInstanceAware {

    private transient @Nullable HazelcastInstance instance;

    /** Made by Hazelcast. */
    public FewerTokensMergePolicy() {}

    @Override
    public @Nullable Object merge(
            MergingEntry<Object, Object> merging, @Nullable MergingEntry<Object, Object> existing) {
        HazelcastInstance on = instance;
        Object arriving = merging.getDeserializedValue();
        Object present = existing == null ? null : existing.getDeserializedValue();
        if (on == null || !(arriving instanceof ClientBuckets left)) {
            return present;
        }
        if (!(present instanceof ClientBuckets right)) {
            return left;
        }
        extendLife(on, merging.getKey());
        MemberContext member = MemberContext.of(on);
        return new ClientBuckets(member, left.entry().merged(right.entry(), member.now()));
    }

    /** Hazelcast gives the merged entry the expiry of the arriving one, which may come before the buckets are full. */
    private static void extendLife(HazelcastInstance on, Object key) {
        on.<UUID, ClientBuckets>getMap(HazelcastBucketStore.MAP)
                .submitToKey((UUID) key, new BucketProcessor(EntryCall.REWRITE));
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance hazelcastInstance) {
        this.instance = hazelcastInstance;
    }

    @Override
    public int getFactoryId() {
        return BucketSerializerHook.FACTORY_ID;
    }

    @Override
    public int getClassId() {
        return BucketSerializerHook.MERGE_POLICY;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeByte(Form.CURRENT);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        Wire.readForm(in, Form.CURRENT);
    }
}
