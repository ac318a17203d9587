package io.ratelimit.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Changes a client's entry on the member that owns it, by that member's clock. The backup stores the result instead of
 * computing it again.
 */
abstract class BucketProcessor
        implements EntryProcessor<UUID, ClientBuckets, BucketAnswer>,
                IdentifiedDataSerializable,
                HazelcastInstanceAware {

    private transient @Nullable MemberContext member;
    private transient @Nullable ClientBuckets written;

    /** Decides and changes what must be changed. */
    abstract BucketAnswer apply(SlotEdit edit, MemberContext on);

    @Override
    public final BucketAnswer process(Map.Entry<UUID, ClientBuckets> entry) {
        MemberContext on = member();
        SlotEdit edit = new SlotEdit(on, entry.getValue());
        BucketAnswer answer = apply(edit, on);
        written = edit.writeTo(entry);
        return answer;
    }

    @Override
    public final @Nullable EntryProcessor<UUID, ClientBuckets, BucketAnswer> getBackupProcessor() {
        return written == null ? null : new StoreOnBackup(written);
    }

    @Override
    public final void setHazelcastInstance(HazelcastInstance instance) {
        member = MemberContext.of(instance);
    }

    @Override
    public final int getFactoryId() {
        return BucketSerializerHook.FACTORY_ID;
    }

    private MemberContext member() {
        MemberContext on = member;
        if (on == null) {
            throw new IllegalStateException("Hazelcast has not said which instance this is");
        }
        return on;
    }
}
