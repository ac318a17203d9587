package io.ratelimit.core.broadcast;

import io.ratelimit.core.wire.SpecWriter;
import io.ratelimit.core.wire.Wire;
import java.io.ByteArrayOutputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Writes the sums of a message, no more than it may hold. Not thread-safe. */
final class SumsWriter {

    /** Nothing that is written of a sum or before it takes more, but for its bucket and states. */
    private static final int MOST_ENTRY_BYTES = 100;

    private static final int BYTES_OF_A_WORD = 10;

    /** Of a message with a single sum, which the network takes apart and puts together. */
    private static final int MOST_ALONE_BYTES = 32_000;

    private final int mostBytes;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final DataOutput out = new DataOutputStream(body);
    private final SpecWriter specs = new SpecWriter(out);
    private int count;

    /**
     * Begins a message.
     *
     * @param mostBytes how long all sums together may be, but for the first one
     */
    SumsWriter(int mostBytes) {
        this.mostBytes = mostBytes;
    }

    /**
     * Adds a sum, unless it could be too much; the first one always fits.
     *
     * @param before what is written before it, of whom it is for example
     */
    boolean add(ConsumptionNews.Item sum, Wire.Part before) {
        ConsumptionNews.Item item = sum;
        if (!fits(item, mostBytes)) {
            if (count > 0) {
                return false;
            }
            // How a bucket stands that counts each request by its time may be longer even than that.
            item = fits(item, MOST_ALONE_BYTES) ? item : item.withoutStates();
        }
        write(item, before);
        return true;
    }

    private void write(ConsumptionNews.Item item, Wire.Part before) {
        try {
            before.writeTo(out);
            specs.write(item.bucket());
            item.writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException("arrays take all that is written to them", e);
        }
        count++;
    }

    private boolean fits(ConsumptionNews.Item item, int most) {
        int words = 0;
        for (long[] state : item.states()) {
            words += 1 + state.length;
        }
        int bucket = specs.hasWritten(item.bucket()) ? 0 : item.bucket().bytes().length;
        return body.size() + MOST_ENTRY_BYTES + bucket + BYTES_OF_A_WORD * words <= most;
    }

    int count() {
        return count;
    }

    byte[] toBytes() {
        return body.toByteArray();
    }
}
