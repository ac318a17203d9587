package io.ratelimit.hazelcast;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.bucket.Spending;
import io.ratelimit.store.Charge;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Spends all charges of one client, or none. */
final class SpendProcessor extends BucketProcessor {

    /**
     * One charge.
     *
     * @param bucket the bucket, with the limits that the asking host knows
     * @param cost tokens, at least 0
     * @param kind what the charge has to say about the request
     * @param maxWaitNanos how long the request would wait for tokens to come
     */
    record Item(NamedSpec bucket, long cost, Charge.Kind kind, long maxWaitNanos) {}

    private List<Item> items;

    /** For reading. */
    SpendProcessor() {
        this(List.of());
    }

    SpendProcessor(List<Item> items) {
        this.items = items;
    }

    @Override
    BucketAnswer apply(SlotEdit edit, MemberContext on) {
        List<BucketSlot> slots =
                items.stream().map(item -> edit.touch(item.bucket())).toList();
        boolean allowed = lets(slots, edit.now());
        List<BucketAnswer.Item> answers = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            answers.add(answer(items.get(i), slots.get(i), allowed, edit));
        }
        return new BucketAnswer(allowed, on.clockId(), edit.now().nanos(), answers);
    }

    private boolean lets(List<BucketSlot> slots, Moment now) {
        for (int i = 0; i < slots.size(); i++) {
            BucketSlot slot = slots.get(i);
            Item item = items.get(i);
            if (!slot.spec().lets(slot.states(), now, item.kind(), item.cost(), item.maxWaitNanos())) {
                return false;
            }
        }
        return true;
    }

    private static BucketAnswer.Item answer(Item item, BucketSlot slot, boolean allowed, SlotEdit edit) {
        Spending spending = Spending.of(
                slot.spec(), slot.states(), edit.now(), item.kind(), item.cost(), item.maxWaitNanos(), allowed);
        BucketSlot after = slot.with(spending.states());
        if (!Arrays.equals(spending.states(), slot.states())) {
            edit.put(after);
        }
        return BucketAnswer.Item.of(after, edit.now(), spending, item.bucket());
    }

    @Override
    public int getClassId() {
        return BucketSerializerHook.SPEND;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        Wire.writeVersion(out);
        out.writeInt(items.size());
        for (Item item : items) {
            Wire.writeSpec(out, item.bucket());
            out.writeLong(item.cost());
            out.writeString(item.kind().name());
            out.writeLong(item.maxWaitNanos());
        }
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        Wire.readVersion(in);
        int count = Wire.readCount(in);
        List<Item> read = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            read.add(new Item(Wire.readSpec(in), in.readLong(), readKind(in), in.readLong()));
        }
        items = List.copyOf(read);
    }

    private static Charge.Kind readKind(ObjectDataInput in) throws IOException {
        String name = Objects.requireNonNull(in.readString(), "kind");
        try {
            return Charge.Kind.valueOf(name);
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "a member sends a charge of the kind '" + name
                            + "', which this one does not know: all members need the same version of ratelimit",
                    e);
        }
    }
}
