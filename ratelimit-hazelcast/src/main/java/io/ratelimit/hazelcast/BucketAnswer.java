package io.ratelimit.hazelcast;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.ratelimit.core.wire.SpecReader;
import io.ratelimit.core.wire.SpecWriter;
import io.ratelimit.core.wire.Wire;
import java.io.IOException;
import java.util.List;

/** What the owner of a client's buckets answers to a call. Immutable once it has arrived. */
final class BucketAnswer implements IdentifiedDataSerializable {

    private long clockId;
    private long nanos;
    private List<StepAnswer> steps;

    /** For reading. */
    BucketAnswer() {
        this(0, 0, List.of());
    }

    /**
     * Answers.
     *
     * @param clockId whose clock the time is on
     * @param nanos when the steps were taken
     * @param steps what became of each
     */
    BucketAnswer(long clockId, long nanos, List<StepAnswer> steps) {
        this.clockId = clockId;
        this.nanos = nanos;
        this.steps = steps;
    }

    long clockId() {
        return clockId;
    }

    long nanos() {
        return nanos;
    }

    List<StepAnswer> steps() {
        return steps;
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
        out.writeLong(clockId);
        Wire.writeSigned(out, nanos);
        SpecWriter specs = new SpecWriter(out);
        Wire.writeAll(out, steps, step -> step.writeTo(out, specs));
        Wire.writeNoAdditions(out);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        Wire.readForm(in, Form.CURRENT);
        clockId = in.readLong();
        nanos = Wire.readSigned(in);
        SpecReader specs = new SpecReader(in);
        steps = Wire.readAll(in, () -> StepAnswer.readFrom(in, specs));
        Wire.skipAdditions(in);
    }
}
