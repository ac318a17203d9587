package io.ratelimit.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.ratelimit.core.entry.ClientEntry;
import io.ratelimit.core.entry.EntryAnswer;
import io.ratelimit.core.entry.EntryCall;
import io.ratelimit.core.entry.EntryEdit;
import io.ratelimit.core.wire.Wire;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Takes a call's steps on a client's entry, on the member that owns it and by that member's clock. The backup stores the
 * result instead of computing it again.
 */
final class BucketProcessor
        implements EntryProcessor<UUID, ClientBuckets, BucketAnswer>,
                IdentifiedDataSerializable,
                HazelcastInstanceAware {

    private EntryCall call;
    private transient @Nullable MemberContext member;
    private transient @Nullable ClientBuckets written;

    /** For reading. */
    BucketProcessor() {
        this(EntryCall.NOTHING);
    }

    BucketProcessor(EntryCall call) {
        this.call = call;
    }

    @Override
    public BucketAnswer process(Map.Entry<UUID, ClientBuckets> entry) {
        MemberContext on = member();
        EntryEdit edit = on.edit(entry.getValue());
        EntryAnswer answer = call.apply(edit);
        ClientEntry after = edit.result();
        ClientBuckets changed = after == null ? null : new ClientBuckets(on, after);
        written = changed;
        if (changed != null) {
            changed.storeIn(entry, edit.now());
        }
        return new BucketAnswer(answer);
    }

    @Override
    public @Nullable EntryProcessor<UUID, ClientBuckets, BucketAnswer> getBackupProcessor() {
        return written == null ? null : new StoreOnBackup(written);
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance instance) {
        member = MemberContext.of(instance);
    }

    private MemberContext member() {
        MemberContext on = member;
        if (on == null) {
            throw new IllegalStateException("Hazelcast has not said which instance this is");
        }
        return on;
    }

    @Override
    public int getFactoryId() {
        return BucketSerializerHook.FACTORY_ID;
    }

    @Override
    public int getClassId() {
        return BucketSerializerHook.CALL;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeByte(Form.CURRENT);
        call.writeTo(out);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        Wire.readForm(in, Form.CURRENT);
        call = EntryCall.readFrom(in);
    }
}
