package io.ratelimit.hazelcast;

import com.google.common.primitives.Longs;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.ratelimit.core.wire.SpecReader;
import io.ratelimit.core.wire.SpecWriter;
import io.ratelimit.core.wire.Wire;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Takes steps on a client's entry, one after the other, on the member that owns it and by that member's clock. The backup
 * stores the result instead of computing it again.
 */
final class BucketProcessor
        implements EntryProcessor<UUID, ClientBuckets, BucketAnswer>,
                IdentifiedDataSerializable,
                HazelcastInstanceAware {

    private static final long ID_TAG = 1;

    private long id;
    private List<Step> steps;
    private transient @Nullable MemberContext member;
    private transient @Nullable ClientBuckets written;

    /** For reading. */
    BucketProcessor() {
        this(CallIds.NONE, List.of());
    }

    /**
     * Makes a call.
     *
     * @param id tells it from all others, so that it has no effect a second time; or {@link CallIds#NONE}
     * @param steps what is to be done; without any, the answer only shows that the owner is there
     */
    BucketProcessor(long id, List<Step> steps) {
        this.id = id;
        this.steps = steps;
    }

    int stepCount() {
        return steps.size();
    }

    @Override
    public BucketAnswer process(Map.Entry<UUID, ClientBuckets> entry) {
        SlotEdit edit = new SlotEdit(member(), entry.getValue());
        BitSet before = edit.allowedIn(id);
        List<StepAnswer> answers = before == null ? take(edit) : repeat(edit, before);
        written = edit.writeTo(entry);
        return new BucketAnswer(edit.clockId(), edit.now().nanos(), answers);
    }

    private List<StepAnswer> take(SlotEdit edit) {
        List<StepAnswer> answers = new ArrayList<>(steps.size());
        BitSet allowed = new BitSet(steps.size());
        for (Step step : steps) {
            StepAnswer answer = step.apply(edit);
            allowed.set(answers.size(), answer.allowed());
            answers.add(answer);
        }
        edit.remember(id, allowed);
        return answers;
    }

    private List<StepAnswer> repeat(SlotEdit edit, BitSet allowed) {
        List<StepAnswer> answers = new ArrayList<>(steps.size());
        for (Step step : steps) {
            answers.add(step.repeat(edit, allowed.get(answers.size())));
        }
        return answers;
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
        SpecWriter specs = new SpecWriter(out);
        Wire.writeAll(out, steps, step -> {
            out.writeByte(step.code());
            step.writeTo(out, specs);
        });
        Wire.writeAddition(out, ID_TAG, Longs.toByteArray(id));
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        Wire.readForm(in, Form.CURRENT);
        SpecReader specs = new SpecReader(in);
        steps = Wire.readAll(in, () -> Step.readFrom(in, specs));
        byte[] sentId = Wire.readAddition(in, ID_TAG);
        id = sentId == null ? CallIds.NONE : Longs.fromByteArray(sentId);
    }
}
