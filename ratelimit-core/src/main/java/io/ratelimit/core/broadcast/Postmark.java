package io.ratelimit.core.broadcast;

import io.ratelimit.core.wire.Wire;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;

/**
 * What a message says of its sending.
 *
 * @param number the first message of a host has 0, each later one the next
 * @param sentNanos when it was sent, on that host's clock
 */
record Postmark(long number, long sentNanos) {

    byte[] toBytes() {
        return Wire.toBytes(out -> {
            Wire.writeUnsigned(out, number);
            out.writeLong(sentNanos);
        });
    }

    static Postmark of(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        return new Postmark(Wire.readUnsigned(in), in.readLong());
    }
}
