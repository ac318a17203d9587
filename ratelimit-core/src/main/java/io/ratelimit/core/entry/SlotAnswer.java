package io.ratelimit.core.entry;

import io.ratelimit.LimitState;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.bucket.Spending;
import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.core.wire.SpecReader;
import io.ratelimit.core.wire.SpecWriter;
import io.ratelimit.core.wire.Wire;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one bucket says. Immutable. */
final class SlotAnswer {

    private static final long[][] NOTHING_SPENT = {};
    private static final long[] NOTHING_REFUNDED = {};

    private final List<LimitState> limits;
    private final long[][] receipt;
    private final long[] refundedBefore;
    private final @Nullable SpecForm other;

    private SlotAnswer(List<LimitState> limits, long[][] receipt, long[] refundedBefore, @Nullable SpecForm other) {
        this.limits = limits;
        this.receipt = receipt;
        this.refundedBefore = refundedBefore;
        this.other = other;
    }

    /**
     * Describes a bucket.
     *
     * @param slot the bucket after a charge was tried
     * @param spending what became of the charge
     * @param asked the limits that the asking host knows
     */
    static SlotAnswer of(BucketSlot slot, Moment now, Spending spending, NamedSpec asked) {
        long[][] made = spending.receipt();
        long[][] receipt = made == null ? NOTHING_SPENT : slot.spec().departReceipt(made, now);
        return of(slot, now, spending.waits(), receipt, asked);
    }

    /** Describes a bucket that nothing was asked of. */
    static SlotAnswer of(BucketSlot slot, Moment now, NamedSpec asked) {
        return of(slot, now, new long[slot.states().length], NOTHING_SPENT, asked);
    }

    private static SlotAnswer of(BucketSlot slot, Moment now, long[] waits, long[][] receipt, NamedSpec asked) {
        return new SlotAnswer(
                slot.spec().describe(slot.states(), now, waits, asked.spec()),
                receipt,
                receipt.length == 0 ? NOTHING_REFUNDED : slot.refunds().totals(slot.spec()),
                slot.bucket().equals(asked) ? null : slot.bucket().form());
    }

    /** The state of each limit that was asked for. */
    List<LimitState> limits() {
        return limits;
    }

    /** What a refund needs, as it travels; empty where nothing was spent. Not to be written to. */
    long[][] receipt() {
        return receipt;
    }

    /** What had been given back before, under each limit; empty for nothing. Not to be written to. */
    long[] refundedBefore() {
        return refundedBefore;
    }

    /** The bucket's limits if they are others than those asked for. */
    @Nullable
    SpecForm other() {
        return other;
    }

    boolean isSpent() {
        return receipt.length > 0;
    }

    void writeTo(DataOutput out, SpecWriter specs) throws IOException {
        Wire.writeAll(out, limits, limit -> {
            Wire.writeSigned(out, limit.remaining());
            Wire.writeSigned(out, limit.waitNanos());
            Wire.writeSigned(out, limit.nextTokenNanos());
        });
        Wire.writeStates(out, receipt);
        Wire.writeWords(out, refundedBefore);
        out.writeBoolean(other != null);
        if (other != null) {
            specs.write(other);
        }
    }

    static SlotAnswer readFrom(DataInput in, SpecReader specs) throws IOException {
        List<LimitState> limits =
                Wire.readAll(in, () -> new LimitState(Wire.readSigned(in), Wire.readSigned(in), Wire.readSigned(in)));
        long[][] receipt = Wire.readStates(in);
        long[] refundedBefore = Wire.readWords(in);
        return new SlotAnswer(List.copyOf(limits), receipt, refundedBefore, in.readBoolean() ? specs.read() : null);
    }
}
