package io.ratelimit.hazelcast;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.ratelimit.LimitState;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.bucket.Spending;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the owner of a client's buckets answers. Immutable once it has arrived. */
final class BucketAnswer implements IdentifiedDataSerializable {

    /** What one bucket says. */
    static final class Item {

        private static final long[][] NOTHING_SPENT = {};

        private final List<LimitState> limits;
        private final long[][] receipt;
        private final @Nullable NamedSpec other;

        private Item(List<LimitState> limits, long[][] receipt, @Nullable NamedSpec other) {
            this.limits = limits;
            this.receipt = receipt;
            this.other = other;
        }

        /**
         * Describes a bucket.
         *
         * @param slot the bucket after a charge was tried
         * @param spending what became of the charge
         * @param asked the limits that the asking host knows
         */
        static Item of(BucketSlot slot, Moment now, Spending spending, NamedSpec asked) {
            long[][] made = spending.receipt();
            long[][] receipt = made == null ? NOTHING_SPENT : slot.spec().departReceipt(made, now);
            return of(slot, now, spending.waits(), receipt, asked);
        }

        /** Describes a bucket that nothing was asked of. */
        static Item of(BucketSlot slot, Moment now, NamedSpec asked) {
            return of(slot, now, new long[slot.states().length], NOTHING_SPENT, asked);
        }

        private static Item of(BucketSlot slot, Moment now, long[] waits, long[][] receipt, NamedSpec asked) {
            return new Item(
                    slot.spec().describe(slot.states(), now, waits, asked.spec()),
                    receipt,
                    slot.bucket().equals(asked) ? null : slot.bucket());
        }

        private boolean isSpent() {
            return receipt.length > 0;
        }

        List<LimitState> limits() {
            return limits;
        }

        private MadeCharge charge(NamedSpec asked, long clockId, long nanos) {
            return new MadeCharge(other == null ? asked : other, receipt, clockId, nanos);
        }

        private void writeTo(ObjectDataOutput out) throws IOException {
            out.writeInt(limits.size());
            for (LimitState limit : limits) {
                out.writeLong(limit.remaining());
                out.writeLong(limit.waitNanos());
                out.writeLong(limit.nextTokenNanos());
            }
            Wire.writeStates(out, receipt);
            out.writeBoolean(other != null);
            if (other != null) {
                Wire.writeSpec(out, other);
            }
        }

        private static Item readFrom(ObjectDataInput in) throws IOException {
            int count = Wire.readCount(in);
            List<LimitState> limits = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                limits.add(new LimitState(in.readLong(), in.readLong(), in.readLong()));
            }
            long[][] receipt = Wire.readStates(in);
            return new Item(List.copyOf(limits), receipt, in.readBoolean() ? Wire.readSpec(in) : null);
        }
    }

    private boolean allowed;
    private long clockId;
    private long nanos;
    private List<Item> items;

    /** For reading. */
    BucketAnswer() {
        this(false, 0, 0, List.of());
    }

    BucketAnswer(boolean allowed, long clockId, long nanos, List<Item> items) {
        this.allowed = allowed;
        this.clockId = clockId;
        this.nanos = nanos;
        this.items = items;
    }

    boolean allowed() {
        return allowed;
    }

    /** The state of each limit of a charge. */
    List<LimitState> limits(int charge) {
        return items.get(charge).limits();
    }

    /** Whether a charge was made, which a shadow of a request that passes may not have been. */
    boolean isSpent(int charge) {
        return items.get(charge).isSpent();
    }

    /** What a refund must know of a charge that was made. */
    MadeCharge charge(int charge, NamedSpec asked) {
        return items.get(charge).charge(asked, clockId, nanos);
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
        Wire.writeVersion(out);
        out.writeBoolean(allowed);
        out.writeLong(clockId);
        out.writeLong(nanos);
        out.writeInt(items.size());
        for (Item item : items) {
            item.writeTo(out);
        }
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        Wire.readVersion(in);
        allowed = in.readBoolean();
        clockId = in.readLong();
        nanos = in.readLong();
        int count = Wire.readCount(in);
        List<Item> read = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            read.add(Item.readFrom(in));
        }
        items = List.copyOf(read);
    }
}
