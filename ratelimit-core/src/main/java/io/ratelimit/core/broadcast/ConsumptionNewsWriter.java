package io.ratelimit.core.broadcast;

import io.ratelimit.core.wire.Wire;
import org.jspecify.annotations.Nullable;

/** Puts a {@link ConsumptionNews} together. Not thread-safe. */
final class ConsumptionNewsWriter {

    /** Form, origin, the number of items, and the mark. */
    private static final int FRAME_BYTES = 44;

    private final long origin;
    private final SumsWriter sums;

    /**
     * Begins a message.
     *
     * @param origin the host
     * @param mostBytes how long the message may be, if it has more than one item
     */
    ConsumptionNewsWriter(long origin, int mostBytes) {
        this.origin = origin;
        this.sums = new SumsWriter(mostBytes - FRAME_BYTES);
    }

    /** Adds an item, unless it could be too much; the first one always fits. */
    boolean add(ConsumptionNews.Item item) {
        return sums.add(item, out -> {});
    }

    /**
     * The message.
     *
     * @param mark what the host says of its sending; null for nothing
     */
    byte[] toBytes(@Nullable Postmark mark) {
        return Wire.toBytes(whole -> {
            whole.writeByte(ConsumptionNews.FORM);
            whole.writeLong(origin);
            Wire.writeUnsigned(whole, sums.count());
            whole.write(sums.toBytes());
            if (mark == null) {
                Wire.writeNoAdditions(whole);
            } else {
                Wire.writeAddition(whole, ConsumptionNews.MARK_TAG, Wire.toBytes(mark::writeTo));
            }
        });
    }
}
