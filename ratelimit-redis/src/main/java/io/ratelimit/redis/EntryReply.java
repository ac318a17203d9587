package io.ratelimit.redis;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Script#DECIDE} and {@link Script#SWAP} answer.
 *
 * @param micros the time
 * @param entry the entry as it was
 * @param made whether the script has done what it was asked for
 * @param immortal whether the entry is still there without an expiry
 */
record EntryReply(long micros, StoredEntry entry, boolean made, boolean immortal) {

    private static final int HEADER = Double.BYTES + 1;
    private static final int MADE = 1;
    private static final int MADE_BUT_IMMORTAL = 2;

    static EntryReply of(@Nullable Object reply) {
        if (!(reply instanceof byte[] bytes) || bytes.length < HEADER) {
            throw new IllegalArgumentException("a script does not answer with " + reply);
        }
        ByteBuffer header = ByteBuffer.wrap(bytes, 0, HEADER);
        long micros = (long) header.getDouble();
        int code = header.get();
        return new EntryReply(
                micros,
                new StoredEntry(Arrays.copyOfRange(bytes, HEADER, bytes.length)),
                code == MADE || code == MADE_BUT_IMMORTAL,
                code == MADE_BUT_IMMORTAL);
    }
}
