package io.ratelimit.core.broadcast;

import io.ratelimit.core.wire.Wire;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * Which sums a host knows, of a part of all, by a fingerprint of each: whoever is told that can say what is missing.
 * Immutable.
 *
 * @param parts how many parts there are, at least 1
 * @param part which of them, from 0 on
 * @param fingerprints of the sums
 */
record KnownSums(int parts, int part, Set<Integer> fingerprints) {

    KnownSums {
        fingerprints = Set.copyOf(fingerprints);
    }

    /** Whether a sum belongs to a part. */
    static boolean isIn(int part, int parts, long source) {
        return Math.floorMod(source, parts) == part;
    }

    /** Whether a sum is of this part, and is not known. */
    boolean isMissing(Rumour rumour) {
        return isIn(part, parts, rumour.source()) && !fingerprints.contains(rumour.fingerprint());
    }

    byte[] toBytes() {
        return Wire.toBytes(out -> {
            Wire.writeUnsigned(out, parts);
            Wire.writeUnsigned(out, part);
            for (int fingerprint : fingerprints) {
                out.writeInt(fingerprint);
            }
        });
    }

    /**
     * Reads what {@link #toBytes} has written.
     *
     * @throws IOException if it is damaged
     */
    static KnownSums of(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        int parts = Wire.readCount(in);
        int part = Wire.readCount(in);
        if (part >= parts) {
            throw new IOException(
                    "a message of another host is damaged: it tells of part " + part + " of " + parts + " parts");
        }
        Set<Integer> fingerprints = new HashSet<>();
        while (in.available() > 0) {
            fingerprints.add(in.readInt());
        }
        return new KnownSums(parts, part, fingerprints);
    }
}
