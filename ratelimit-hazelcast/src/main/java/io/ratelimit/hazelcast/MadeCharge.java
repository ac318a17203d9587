package io.ratelimit.hazelcast;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;

/** What a refund must know of a charge: its bucket, what was missing right after it, and when that was. Immutable. */
final class MadeCharge {

    private final NamedSpec bucket;
    private final long[][] receipt;
    private final long clockId;
    private final long nanos;

    /**
     * Keeps the array, which must not be written to any more.
     *
     * @param bucket the bucket under the limits that were in force
     * @param receipt what was missing under each limit, as it travels
     * @param clockId whose clock the time is on
     * @param nanos when the charge was made
     */
    MadeCharge(NamedSpec bucket, long[][] receipt, long clockId, long nanos) {
        this.bucket = bucket;
        this.receipt = receipt;
        this.clockId = clockId;
        this.nanos = nanos;
    }

    NamedSpec bucket() {
        return bucket;
    }

    /** Not to be written to. */
    long[][] receipt() {
        return receipt;
    }

    long clockId() {
        return clockId;
    }

    long nanos() {
        return nanos;
    }

    void writeTo(ObjectDataOutput out) throws IOException {
        Wire.writeSpec(out, bucket);
        Wire.writeStates(out, receipt);
        out.writeLong(clockId);
        out.writeLong(nanos);
    }

    static MadeCharge readFrom(ObjectDataInput in) throws IOException {
        NamedSpec bucket = Wire.readSpec(in);
        return new MadeCharge(bucket, Wire.readStates(in), in.readLong(), in.readLong());
    }
}
