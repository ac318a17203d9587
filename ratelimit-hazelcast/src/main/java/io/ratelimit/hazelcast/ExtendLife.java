package io.ratelimit.hazelcast;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.List;

/** Writes an entry as it is, with an expiry that fits it: after a merge it has that of one of the two sides. */
final class ExtendLife extends BucketProcessor {

    @Override
    BucketAnswer apply(SlotEdit edit, MemberContext on) {
        edit.rewrite();
        return new BucketAnswer(true, on.clockId(), edit.now().nanos(), List.of());
    }

    @Override
    public int getClassId() {
        return BucketSerializerHook.EXTEND_LIFE;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        Wire.writeVersion(out);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        Wire.readVersion(in);
    }
}
