package io.ratelimit.core.entry;

import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.bucket.CompiledSpec;
import io.ratelimit.core.wire.SpecReader;
import io.ratelimit.core.wire.SpecWriter;
import io.ratelimit.core.wire.Wire;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives back what earlier charges of one client still hold.
 *
 * @param items the charges
 */
record RefundStep(List<Item> items) implements Step {

    static final int CODE = 2;

    /**
     * One charge to give back.
     *
     * @param charge the charge
     * @param elapsedNanos the time since then on the clock of the host that asked
     * @param tokens tokens to give back
     * @param undone whether the charge is taken back as if it had never been made, and not only its tokens; without
     *     tokens and this, the answer only tells how things stand
     */
    record Item(MadeCharge charge, long elapsedNanos, long tokens, boolean undone) {

        private SlotAnswer giveBack(EntryEdit edit) {
            NamedSpec charged = edit.spec(charge.bucket());
            BucketSlot slot = edit.touch(charged);
            if ((undone || tokens > 0) && !slot.isFull(edit.now())) {
                slot = refunded(slot, charged.spec(), edit);
                edit.put(slot);
            }
            return SlotAnswer.of(slot, edit.now(), charged);
        }

        private BucketSlot refunded(BucketSlot slot, CompiledSpec charged, EntryEdit edit) {
            Moment now = edit.now();
            boolean sameClock = charge.clockId() == edit.clockId();
            Moment then = now.minusNanos(sameClock ? Math.max(0, now.nanos() - charge.nanos()) : elapsedNanos);
            return slot.refunded(this, charged, then, now);
        }

        private void writeTo(DataOutput out, SpecWriter specs) throws IOException {
            charge.writeTo(out, specs);
            Wire.writeSigned(out, elapsedNanos);
            Wire.writeUnsigned(out, tokens);
            out.writeBoolean(undone);
        }

        private static Item readFrom(DataInput in, SpecReader specs) throws IOException {
            return new Item(
                    MadeCharge.readFrom(in, specs), Wire.readSigned(in), Wire.readUnsigned(in), in.readBoolean());
        }
    }

    @Override
    public StepAnswer apply(EntryEdit edit) {
        List<SlotAnswer> answers = new ArrayList<>(items.size());
        for (Item item : items) {
            answers.add(item.giveBack(edit));
        }
        return new StepAnswer(true, answers);
    }

    @Override
    public StepAnswer repeat(EntryEdit edit, boolean allowed) {
        List<SlotAnswer> answers = new ArrayList<>(items.size());
        for (Item item : items) {
            NamedSpec charged = edit.spec(item.charge().bucket());
            answers.add(SlotAnswer.of(edit.touch(charged), edit.now(), charged));
        }
        return new StepAnswer(allowed, answers);
    }

    @Override
    public int code() {
        return CODE;
    }

    @Override
    public void writeTo(DataOutput out, SpecWriter specs) throws IOException {
        Wire.writeAll(out, items, item -> item.writeTo(out, specs));
    }

    static RefundStep readFrom(DataInput in, SpecReader specs) throws IOException {
        return new RefundStep(Wire.readAll(in, () -> Item.readFrom(in, specs)));
    }
}
