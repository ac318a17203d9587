package io.ratelimit.hazelcast;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Spends all charges of one client, or none. */
final class SpendProcessor extends BucketProcessor {

    /**
     * One charge.
     *
     * @param bucket the bucket, with the limits that the asking host knows
     * @param cost tokens, at least 0
     */
    record Item(NamedSpec bucket, long cost) {}

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
        boolean allowed = admits(slots, edit.nanos());
        List<BucketAnswer.Item> answers = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            answers.add(answer(items.get(i), slots.get(i), allowed, edit));
        }
        return new BucketAnswer(allowed, on.clockId(), edit.nanos(), answers);
    }

    private boolean admits(List<BucketSlot> slots, long nanos) {
        for (int i = 0; i < slots.size(); i++) {
            BucketSlot slot = slots.get(i);
            if (!slot.spec().admits(slot.states(), nanos, items.get(i).cost())) {
                return false;
            }
        }
        return true;
    }

    private static BucketAnswer.Item answer(Item item, BucketSlot slot, boolean allowed, SlotEdit edit) {
        if (!allowed) {
            return BucketAnswer.Item.of(slot, edit.nanos(), item.cost(), item.bucket());
        }
        BucketSlot spent = slot.with(slot.spec().spend(slot.states(), edit.nanos(), item.cost()));
        if (item.cost() > 0) {
            edit.put(spent);
        }
        return BucketAnswer.Item.of(spent, edit.nanos(), 0, item.bucket());
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
        }
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        Wire.readVersion(in);
        int count = Wire.readCount(in);
        List<Item> read = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            read.add(new Item(Wire.readSpec(in), in.readLong()));
        }
        items = List.copyOf(read);
    }
}
