package io.ratelimit.core.broadcast;

import io.ratelimit.core.wire.Wire;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What a message says of its sending.
 *
 * @param number the first message of a host has 0, each later one the next
 * @param sentNanos when it was sent, on that host's clock
 * @param runNanos for how long that host has had something to tell by then, with no pause as long as a standstill: who has
 *     heard nothing for longer has missed no more than that
 */
record Postmark(long number, long sentNanos, long runNanos) {

    static Postmark first(long nanos) {
        return new Postmark(0, nanos, 0);
    }

    /**
     * Of the next message of a host.
     *
     * @param before the last one; null before the first
     */
    static Postmark after(@Nullable Postmark before, long nanos) {
        return before == null ? first(nanos) : before.next(nanos);
    }

    Postmark next(long nanos) {
        long pause = nanos - sentNanos;
        return new Postmark(number + 1, nanos, pause < Deliveries.SILENCE_NANOS ? runNanos + pause : 0);
    }

    void writeTo(DataOutput out) throws IOException {
        Wire.writeUnsigned(out, number);
        out.writeLong(sentNanos);
        Wire.writeUnsigned(out, runNanos);
    }

    static Postmark readFrom(DataInput in) throws IOException {
        return new Postmark(Wire.readUnsigned(in), in.readLong(), Wire.readUnsigned(in));
    }
}
