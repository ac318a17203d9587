package io.ratelimit.hazelcast;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.query.Predicate;
import io.ratelimit.core.wire.Wire;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;

/** Finds entries of which nothing is to be kept any longer, by the monotonic clock of the member that holds them. */
final class ForgottenPredicate implements Predicate<UUID, ClientBuckets>, IdentifiedDataSerializable {

    private static final long serialVersionUID = 1;

    @Override
    public boolean apply(Map.Entry<UUID, ClientBuckets> entry) {
        return entry.getValue().isForgotten();
    }

    @Override
    public int getFactoryId() {
        return BucketSerializerHook.FACTORY_ID;
    }

    @Override
    public int getClassId() {
        return BucketSerializerHook.FORGOTTEN;
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
