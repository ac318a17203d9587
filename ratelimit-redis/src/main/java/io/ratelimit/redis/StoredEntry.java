package io.ratelimit.redis;

import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.entry.ClientEntry;
import io.ratelimit.core.entry.DepartedEntry;
import io.ratelimit.core.entry.EvenEntry;
import io.ratelimit.core.entry.KnownSpecs;
import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.core.wire.Wire;
import io.ratelimit.store.StoreException;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's entry as a value in Redis, in one of two forms. Scripts make calls on the even form by themselves; only hosts
 * know what the other says: everything that cannot be told in numbers. The letter that a value begins with tells its form,
 * so that a later version may have others. Immutable.
 */
final class StoredEntry {

    private static final byte EVEN = 'E';
    private static final byte OTHER = 'J';
    private static final byte[] NOTHING = {};

    /** The letter, when it was written on both clocks, and a number that no other writing has. */
    private static final int OTHER_HEADER = 1 + 3 * Long.BYTES;

    private static final Logger LOG = LoggerFactory.getLogger(StoredEntry.class);

    private final byte[] bytes;

    /**
     * Reads a value.
     *
     * @param value the value; null for none
     */
    StoredEntry(byte @Nullable [] value) {
        this.bytes = value == null ? NOTHING : value;
    }

    /** An entry as it is to be written. */
    static StoredEntry of(ClientEntry entry, Moment now) {
        if (entry.isEmpty()) {
            return new StoredEntry(null);
        }
        EvenEntry even = EvenEntry.of(entry, now);
        return new StoredEntry(even == null ? other(entry, now) : even(even));
    }

    private static byte[] even(EvenEntry entry) {
        return Wire.toBytes(out -> {
            out.writeByte(EVEN);
            for (EvenEntry.Slot slot : entry.slots()) {
                byte[] form = slot.bucket().bytes();
                out.writeDouble((double) slot.writtenMicros());
                out.writeShort(form.length);
                out.write(form);
                out.writeByte(slot.missing().length);
                for (long missing : slot.missing()) {
                    out.writeDouble((double) missing);
                }
            }
        });
    }

    private static byte[] other(ClientEntry entry, Moment now) {
        return Wire.toBytes(out -> {
            out.writeByte(OTHER);
            out.writeLong(now.nanos());
            out.writeLong(now.epochMillis());
            out.writeLong(ThreadLocalRandom.current().nextLong());
            entry.depart(now).writeTo(out);
        });
    }

    /** The whole value; empty where there is none. Not to be written to. */
    byte[] bytes() {
        return bytes;
    }

    /** What no other value begins with. */
    byte[] beginning() {
        boolean isOther = bytes.length > OTHER_HEADER && bytes[0] == OTHER;
        return isOther ? Arrays.copyOf(bytes, OTHER_HEADER) : bytes;
    }

    /**
     * The entry now. A value that is damaged is as good as none.
     *
     * @throws StoreException if a later version has written it
     */
    ClientEntry entry(KnownSpecs specs, Moment now) {
        if (bytes.length == 0) {
            return ClientEntry.EMPTY;
        }
        if (bytes[0] != EVEN && bytes[0] != OTHER) {
            throw new StoreException(
                    "store-error",
                    "an entry has the form " + bytes[0]
                            + ", which this host does not know: all hosts need the same version of ratelimit");
        }
        try {
            return bytes[0] == EVEN ? even(specs, now) : other(specs, now);
        } catch (IOException | RuntimeException e) {
            LOG.warn("The entry of a client is damaged, which begins anew: {}", e.toString());
            return ClientEntry.EMPTY;
        }
    }

    private ClientEntry even(KnownSpecs specs, Moment now) {
        ByteBuffer in = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
        List<EvenEntry.Slot> slots = new ArrayList<>(2);
        while (in.hasRemaining()) {
            long written = (long) in.getDouble();
            byte[] form = new byte[Short.toUnsignedInt(in.getShort())];
            in.get(form);
            long[] missing = new long[Byte.toUnsignedInt(in.get())];
            for (int i = 0; i < missing.length; i++) {
                missing[i] = (long) in.getDouble();
            }
            slots.add(new EvenEntry.Slot(SpecForm.ofBytes(form), written, missing));
        }
        return new EvenEntry(slots).arrive(specs, now);
    }

    /** States that were written on a clock that was set back since are as good as written now. */
    private ClientEntry other(KnownSpecs specs, Moment now) throws IOException {
        if (bytes.length < OTHER_HEADER) {
            throw new BufferUnderflowException();
        }
        ByteBuffer header = ByteBuffer.wrap(bytes, 1, OTHER_HEADER - 1);
        Moment written = new Moment(header.getLong(), header.getLong());
        DataInputStream in =
                new DataInputStream(new ByteArrayInputStream(bytes, OTHER_HEADER, bytes.length - OTHER_HEADER));
        return DepartedEntry.readFrom(in).arrive(specs, written.nanos() <= now.nanos() ? written : now);
    }
}
