package io.ratelimit.hazelcast;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.ratelimit.core.entry.EntryAnswer;
import io.ratelimit.core.wire.Wire;
import java.io.IOException;

/** What the owner of a client's entry answers to a call. Immutable once it has arrived. */
final class BucketAnswer implements IdentifiedDataSerializable {

    private EntryAnswer answer;

    /** For reading. */
    BucketAnswer() {
        this(EntryAnswer.EMPTY);
    }

    BucketAnswer(EntryAnswer answer) {
        this.answer = answer;
    }

    EntryAnswer answer() {
        return answer;
    }

    @Override
    public int getFactoryId() {
        return BucketSerializerHook.FACTORY_ID;
    }

    @Override
    public int getClassId() {
        return BucketSerializerHook.ANSWER;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeByte(Form.CURRENT);
        answer.writeTo(out);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        Wire.readForm(in, Form.CURRENT);
        answer = EntryAnswer.readFrom(in);
    }
}
