package io.ratelimit.core.entry;

import io.ratelimit.core.wire.Wire;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The last call of each host that changed an entry, and which of its steps were allowed. A store may make a call again
 * whose owner dies before it answers, and the backup may have the result of the first time: then the call gets the first
 * answer and changes nothing. Since a host has one call under way for a client, its last one is enough. Immutable.
 */
final class RecentCalls {

    /** No call. */
    static final RecentCalls NONE = new RecentCalls(new long[0], new byte[0][]);

    /** So that an entry stays small however many hosts ask for it; the oldest calls are forgotten. */
    private static final int MOST_HOSTS = 32;

    private final long[] ids;
    private final byte[][] allowed;

    private RecentCalls(long[] ids, byte[][] allowed) {
        this.ids = ids;
        this.allowed = allowed;
    }

    /** Which steps of a call were allowed; null if it was not made, or long ago. */
    @Nullable
    BitSet allowed(long id) {
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] == id) {
                return BitSet.valueOf(allowed[i]);
            }
        }
        return null;
    }

    /** These calls with another one in place of its host's last. */
    RecentCalls with(long id, BitSet allowedSteps) {
        int kept = 0;
        long[] newIds = new long[ids.length + 1];
        byte[][] newAllowed = new byte[ids.length + 1][];
        for (int i = 0; i < ids.length; i++) {
            if (CallIds.hostOf(ids[i]) != CallIds.hostOf(id)) {
                newIds[kept] = ids[i];
                newAllowed[kept++] = allowed[i];
            }
        }
        newIds[kept] = id;
        newAllowed[kept++] = allowedSteps.toByteArray();
        int from = Math.max(0, kept - MOST_HOSTS);
        return new RecentCalls(Arrays.copyOfRange(newIds, from, kept), Arrays.copyOfRange(newAllowed, from, kept));
    }

    byte[] toBytes() {
        return Wire.toBytes(out -> {
            Wire.writeUnsigned(out, ids.length);
            for (int i = 0; i < ids.length; i++) {
                out.writeLong(ids[i]);
                Wire.writeBytes(out, allowed[i]);
            }
        });
    }

    static RecentCalls of(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        int count = Wire.readCount(in);
        long[] ids = new long[count];
        byte[][] allowed = new byte[count][];
        for (int i = 0; i < count; i++) {
            ids[i] = in.readLong();
            allowed[i] = Wire.readBytes(in);
        }
        return new RecentCalls(ids, allowed);
    }
}
