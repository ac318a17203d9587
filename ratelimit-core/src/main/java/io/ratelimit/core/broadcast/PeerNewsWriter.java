package io.ratelimit.core.broadcast;

import io.ratelimit.core.wire.SpecWriter;
import io.ratelimit.core.wire.Wire;
import java.io.ByteArrayOutputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Puts a {@link PeerNews} together that is not longer than a network carries in one piece. Not thread-safe. */
final class PeerNewsWriter {

    /** Form, sender, flags, the number of entries, and no additions. */
    private static final int FRAME_BYTES = 22;

    /** No entry's numbers take more, but for states. */
    private static final int MOST_ENTRY_BYTES = 90;

    private static final int BYTES_OF_A_WORD = 10;

    private final UUID from;
    private final PeerNews.Kind kind;
    private final int mostBytes;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final DataOutput out = new DataOutputStream(body);
    private final SpecWriter specs = new SpecWriter(out);
    private final Map<PeerNews.Sender, Integer> senders = new HashMap<>();
    private int count;

    PeerNewsWriter(UUID from, PeerNews.Kind kind, int mostBytes) {
        this.from = from;
        this.kind = kind;
        this.mostBytes = mostBytes;
    }

    /** Adds a sum, unless it could be too much; the first one always fits. */
    boolean add(PeerNews.Entry entry) {
        ConsumptionNews.Item item = entry.item();
        if (count > 0 && FRAME_BYTES + body.size() + mostBytesOf(item) > mostBytes) {
            return false;
        }
        try {
            write(entry.sender());
            specs.write(item.bucket());
            item.writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException("arrays take all that is written to them", e);
        }
        count++;
        return true;
    }

    private int mostBytesOf(ConsumptionNews.Item item) {
        int words = 0;
        for (long[] state : item.states()) {
            words += 1 + state.length;
        }
        int bucket = specs.hasWritten(item.bucket()) ? 0 : item.bucket().bytes().length;
        return MOST_ENTRY_BYTES + bucket + BYTES_OF_A_WORD * words;
    }

    private void write(PeerNews.Sender sender) throws IOException {
        Integer place = senders.putIfAbsent(sender, senders.size() + 1);
        if (place != null) {
            Wire.writeUnsigned(out, place);
            return;
        }
        Wire.writeUnsigned(out, 0);
        out.writeLong(sender.origin());
        Wire.writeUnsigned(out, sender.mark().number());
        out.writeLong(sender.mark().sentNanos());
    }

    boolean isEmpty() {
        return count == 0;
    }

    byte[] toBytes() {
        return Wire.toBytes(whole -> {
            whole.writeByte(PeerNews.FORM);
            whole.writeLong(from.getMostSignificantBits());
            whole.writeLong(from.getLeastSignificantBits());
            Wire.writeUnsigned(whole, kind.code());
            Wire.writeUnsigned(whole, count);
            whole.write(body.toByteArray());
            Wire.writeNoAdditions(whole);
        });
    }
}
