package io.ratelimit.hazelcast;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.bucket.CompiledSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Gives back what earlier charges of one client still hold. */
final class RefundProcessor extends BucketProcessor {

    /**
     * One charge to give back.
     *
     * @param charge the charge
     * @param elapsedNanos the time since then on the clock of the host that asked
     * @param tokens tokens to give back
     * @param undone whether the charge is taken back as if it had never been made, and not only its tokens; without
     *     tokens and this, the answer only tells how things stand
     */
    record Item(MadeCharge charge, long elapsedNanos, long tokens, boolean undone) {}

    private List<Item> items;

    /** For reading. */
    RefundProcessor() {
        this(List.of());
    }

    RefundProcessor(List<Item> items) {
        this.items = items;
    }

    @Override
    BucketAnswer apply(SlotEdit edit, MemberContext on) {
        List<BucketAnswer.Item> answers = new ArrayList<>(items.size());
        for (Item item : items) {
            NamedSpec charged = item.charge().bucket();
            BucketSlot slot = edit.touch(charged);
            if ((item.undone() || item.tokens() > 0) && !slot.isFull(edit.now())) {
                slot = refunded(item, slot, edit.now(), on);
                edit.put(slot);
            }
            answers.add(BucketAnswer.Item.of(slot, edit.now(), charged));
        }
        return new BucketAnswer(true, on.clockId(), edit.now().nanos(), answers);
    }

    private static BucketSlot refunded(Item item, BucketSlot slot, Moment now, MemberContext on) {
        MadeCharge charge = item.charge();
        boolean sameClock = charge.clockId() == on.clockId();
        long elapsedNanos = sameClock ? now.nanos() - charge.nanos() : item.elapsedNanos();
        Moment charged = now.minusNanos(elapsedNanos);
        CompiledSpec spec = charge.bucket().spec();
        long[][] receipt = spec.arriveReceipt(charge.receipt(), charged, now);
        CompiledSpec inForce = slot.spec();
        return slot.with(
                item.undone()
                        ? inForce.undo(slot.states(), now, item.tokens(), item.tokens(), spec, receipt)
                        : inForce.refund(slot.states(), now, item.tokens(), spec, receipt));
    }

    @Override
    public int getClassId() {
        return BucketSerializerHook.REFUND;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        Wire.writeVersion(out);
        out.writeInt(items.size());
        for (Item item : items) {
            item.charge().writeTo(out);
            out.writeLong(item.elapsedNanos());
            out.writeLong(item.tokens());
            out.writeBoolean(item.undone());
        }
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        Wire.readVersion(in);
        int count = Wire.readCount(in);
        List<Item> read = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            read.add(new Item(MadeCharge.readFrom(in), in.readLong(), in.readLong(), in.readBoolean()));
        }
        items = List.copyOf(read);
    }
}
