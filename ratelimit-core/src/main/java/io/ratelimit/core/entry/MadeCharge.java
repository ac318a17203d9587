package io.ratelimit.core.entry;

import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.core.wire.SpecReader;
import io.ratelimit.core.wire.SpecWriter;
import io.ratelimit.core.wire.Wire;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** What a refund must know of a charge: its bucket, what was missing right after it, and when that was. Immutable. */
final class MadeCharge {

    private final SpecForm bucket;
    private final long[][] receipt;
    private final long[] refundedBefore;
    private final long clockId;
    private final long nanos;

    /**
     * Keeps the arrays, which must not be written to any more.
     *
     * @param bucket the bucket under the limits that were in force
     * @param receipt what was missing under each limit, as it travels
     * @param refundedBefore what had been given back under each limit when the charge was made; empty for nothing
     * @param clockId whose clock the time is on
     * @param nanos when the charge was made
     */
    MadeCharge(SpecForm bucket, long[][] receipt, long[] refundedBefore, long clockId, long nanos) {
        this.bucket = bucket;
        this.receipt = receipt;
        this.refundedBefore = refundedBefore;
        this.clockId = clockId;
        this.nanos = nanos;
    }

    SpecForm bucket() {
        return bucket;
    }

    /** Not to be written to. */
    long[][] receipt() {
        return receipt;
    }

    /** Not to be written to. */
    long[] refundedBefore() {
        return refundedBefore;
    }

    long clockId() {
        return clockId;
    }

    long nanos() {
        return nanos;
    }

    void writeTo(DataOutput out, SpecWriter specs) throws IOException {
        specs.write(bucket);
        Wire.writeStates(out, receipt);
        Wire.writeWords(out, refundedBefore);
        out.writeLong(clockId);
        Wire.writeSigned(out, nanos);
    }

    static MadeCharge readFrom(DataInput in, SpecReader specs) throws IOException {
        SpecForm bucket = specs.read();
        return new MadeCharge(bucket, Wire.readStates(in), Wire.readWords(in), in.readLong(), Wire.readSigned(in));
    }
}
