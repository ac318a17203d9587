package io.ratelimit.core.entry;

import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.bucket.Spending;
import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.core.wire.SpecReader;
import io.ratelimit.core.wire.SpecWriter;
import io.ratelimit.core.wire.Wire;
import io.ratelimit.store.Charge;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Spends all charges of one request for one client, or none.
 *
 * @param items the charges, at least one
 */
record SpendStep(List<Item> items) implements Step {

    static final int CODE = 1;

    /**
     * One charge.
     *
     * @param bucket the bucket, with the limits that the asking host knows
     * @param cost tokens, at least 0
     * @param kind what the charge has to say about the request
     * @param maxWaitNanos how long the request would wait for tokens to come
     */
    record Item(SpecForm bucket, long cost, Charge.Kind kind, long maxWaitNanos) {

        private boolean isLetBy(BucketSlot slot, Moment now) {
            return slot.spec().lets(slot.states(), now, kind, cost, maxWaitNanos);
        }

        private SlotAnswer spend(BucketSlot slot, boolean allowed, EntryEdit edit) {
            Spending spending = Spending.of(slot.spec(), slot.states(), edit.now(), kind, cost, maxWaitNanos, allowed);
            BucketSlot after = slot.with(spending.states(), edit.now());
            if (!Arrays.equals(spending.states(), slot.states())) {
                edit.put(after);
            }
            return SlotAnswer.of(after, edit.now(), spending, edit.spec(bucket));
        }

        /** Without a receipt: what the charge left the first time is not known any more. */
        private SlotAnswer repeat(EntryEdit edit, boolean allowed) {
            NamedSpec asked = edit.spec(bucket);
            BucketSlot slot = edit.touch(asked);
            if (allowed) {
                return SlotAnswer.of(slot, edit.now(), asked);
            }
            Charge.Kind look = Charge.Kind.LOOK;
            Spending looked = Spending.of(slot.spec(), slot.states(), edit.now(), look, cost, maxWaitNanos, false);
            return SlotAnswer.of(slot, edit.now(), looked, asked);
        }

        private void writeTo(DataOutput out, SpecWriter specs) throws IOException {
            specs.write(bucket);
            Wire.writeUnsigned(out, cost);
            out.writeByte(WireKind.codeOf(kind));
            Wire.writeUnsigned(out, maxWaitNanos);
        }

        private static Item readFrom(DataInput in, SpecReader specs) throws IOException {
            return new Item(specs.read(), Wire.readUnsigned(in), WireKind.ofCode(in.readByte()), Wire.readUnsigned(in));
        }
    }

    @Override
    public StepAnswer apply(EntryEdit edit) {
        List<BucketSlot> slots = new ArrayList<>(items.size());
        items.forEach(item -> slots.add(edit.touch(edit.spec(item.bucket()))));
        boolean allowed = lets(slots, edit.now());
        List<SlotAnswer> answers = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            answers.add(items.get(i).spend(slots.get(i), allowed, edit));
        }
        return new StepAnswer(allowed, answers);
    }

    @Override
    public StepAnswer repeat(EntryEdit edit, boolean allowed) {
        return new StepAnswer(
                allowed, items.stream().map(item -> item.repeat(edit, allowed)).toList());
    }

    boolean isLate() {
        for (Item item : items) {
            if (item.kind() == Charge.Kind.LATE) {
                return true;
            }
        }
        return false;
    }

    private boolean lets(List<BucketSlot> slots, Moment now) {
        for (int i = 0; i < slots.size(); i++) {
            if (!items.get(i).isLetBy(slots.get(i), now)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int code() {
        return CODE;
    }

    @Override
    public void writeTo(DataOutput out, SpecWriter specs) throws IOException {
        Wire.writeAll(out, items, item -> item.writeTo(out, specs));
    }

    static SpendStep readFrom(DataInput in, SpecReader specs) throws IOException {
        return new SpendStep(Wire.readAll(in, () -> Item.readFrom(in, specs)));
    }
}
