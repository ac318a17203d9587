package io.ratelimit.core.broadcast;

import io.ratelimit.core.wire.Wire;
import java.io.DataOutput;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Puts a {@link PeerNews} together that is not longer than a network carries in one piece. Not thread-safe. */
final class PeerNewsWriter {

    /** Form, sender, kind, the number of entries, and no additions. */
    private static final int FRAME_BYTES = 22;

    private final UUID from;
    private final PeerNews.Kind kind;
    private final SumsWriter sums;
    private final Map<PeerNews.Sender, Integer> senders = new HashMap<>();
    private @Nullable KnownSums known;

    PeerNewsWriter(UUID from, PeerNews.Kind kind, int mostBytes) {
        this.from = from;
        this.kind = kind;
        this.sums = new SumsWriter(mostBytes - FRAME_BYTES);
    }

    /** Adds a sum, unless it could be too much; the first one always fits. */
    boolean add(PeerNews.Entry entry) {
        return sums.add(entry.item(), out -> write(entry.sender(), out));
    }

    private void write(PeerNews.Sender sender, DataOutput out) throws IOException {
        Integer place = senders.putIfAbsent(sender, senders.size() + 1);
        if (place != null) {
            Wire.writeUnsigned(out, place);
            return;
        }
        Wire.writeUnsigned(out, 0);
        out.writeLong(sender.origin());
        sender.mark().writeTo(out);
    }

    /** Says what the sender knows. */
    void says(KnownSums knownSums) {
        known = knownSums;
    }

    boolean isEmpty() {
        return sums.count() == 0;
    }

    byte[] toBytes() {
        return Wire.toBytes(whole -> {
            whole.writeByte(PeerNews.FORM);
            whole.writeLong(from.getMostSignificantBits());
            whole.writeLong(from.getLeastSignificantBits());
            Wire.writeUnsigned(whole, kind.code());
            Wire.writeUnsigned(whole, sums.count());
            whole.write(sums.toBytes());
            if (known == null) {
                Wire.writeNoAdditions(whole);
            } else {
                Wire.writeAddition(whole, PeerNews.KNOWN_TAG, known.toBytes());
            }
        });
    }
}
