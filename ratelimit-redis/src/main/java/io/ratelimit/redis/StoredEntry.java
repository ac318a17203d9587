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
import java.io.DataOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's entry as a value in Redis. Scripts make calls on the buckets that numbers tell; those that they do not tell come
 * last, and only hosts know what is said of them. {@code decide.lua} describes the first part. In it there is a bucket without
 * limits for each of the others, which tells its name, and after it one without a name, behind which the others are. The
 * letter that a value begins with tells its form, so that a later version may have another. Immutable.
 */
final class StoredEntry {

    private static final byte FORM = 'E';
    private static final byte[] NOTHING = {};
    private static final int MOST_BYTES_OF_FORM = 0xFFFF;

    private static final Logger LOG = LoggerFactory.getLogger(StoredEntry.class);

    private final byte[] bytes;

    /**
     * Reads a value.
     *
     * @param value the value, kept; empty for none
     */
    StoredEntry(byte[] value) {
        this.bytes = value;
    }

    /** An entry as it is to be written. */
    static StoredEntry of(ClientEntry entry, Moment now) {
        return new StoredEntry(
                entry.isEmpty() ? NOTHING : Wire.toBytes(out -> write(EvenEntry.of(entry, now), now, out)));
    }

    private static void write(EvenEntry entry, Moment now, DataOutput out) throws IOException {
        out.writeByte(FORM);
        for (EvenEntry.Slot slot : entry.slots()) {
            out.writeDouble((double) slot.writtenMicros());
            writeBucket(out, slot.bucket().bytes(), slot.missing());
        }
        List<SpecForm> others = entry.others().buckets();
        if (others.isEmpty()) {
            return;
        }
        for (SpecForm other : others) {
            out.writeDouble(0);
            writeBucket(out, other.bytes());
        }
        out.writeLong(now.nanos());
        writeBucket(out, NOTHING);
        out.writeLong(now.epochMillis());
        entry.others().writeTo(out);
    }

    private static void writeBucket(DataOutput out, byte[] form, long... missing) throws IOException {
        if (form.length > MOST_BYTES_OF_FORM) {
            throw new StoreException("store-error", "a rule has more limits than an entry in Redis has room for");
        }
        out.writeShort(form.length);
        out.write(form);
        out.writeByte(missing.length);
        for (long units : missing) {
            out.writeDouble((double) units);
        }
    }

    /** The whole value; empty where there is none. Not to be written to. */
    byte[] bytes() {
        return bytes;
    }

    /**
     * The entry now.
     *
     * @throws StoreException if a later version has written it
     */
    ReadEntry read(KnownSpecs specs, Moment now) {
        if (bytes.length == 0) {
            return ReadEntry.NONE;
        }
        if (bytes[0] != FORM) {
            throw new StoreException(
                    "store-error",
                    "an entry has the form " + bytes[0]
                            + ", which this host does not know: all hosts need the same version of ratelimit");
        }
        try {
            return parts(now).read(specs, now);
        } catch (UncheckedIOException e) {
            // It is whole, but limits in it are of a kind that only a later version has.
            throw new StoreException("store-error", "an entry cannot be read: " + e.getMessage());
        } catch (IOException | RuntimeException e) {
            LOG.warn("The entry of a client is damaged, which begins anew: {}", e.toString());
            return ReadEntry.DAMAGED;
        }
    }

    /** What the bytes tell, without making sense of limits; where there are no others, they are as if written now. */
    private Parts parts(Moment now) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
        List<EvenEntry.Slot> slots = new ArrayList<>(2);
        while (in.hasRemaining()) {
            long written = in.getLong();
            byte[] form = new byte[Short.toUnsignedInt(in.getShort())];
            in.get(form);
            long[] missing = new long[Byte.toUnsignedInt(in.get())];
            if (form.length == 0) {
                Moment othersWritten = new Moment(written, in.getLong());
                int at = in.position();
                DepartedEntry others = DepartedEntry.readFrom(
                        new DataInputStream(new ByteArrayInputStream(bytes, at, bytes.length - at)));
                return new Parts(slots, others, othersWritten);
            }
            for (int i = 0; i < missing.length; i++) {
                missing[i] = (long) in.getDouble();
            }
            if (missing.length > 0) {
                slots.add(new EvenEntry.Slot(SpecForm.ofBytes(form), (long) Double.longBitsToDouble(written), missing));
            }
        }
        return new Parts(slots, DepartedEntry.EMPTY, now);
    }

    /** Buckets as they were written. */
    private record Parts(List<EvenEntry.Slot> slots, DepartedEntry others, Moment othersWritten) {

        private ReadEntry read(KnownSpecs specs, Moment now) {
            boolean isAhead = othersWritten.nanos() > now.nanos();
            for (EvenEntry.Slot slot : slots) {
                isAhead |= TimeUnit.MICROSECONDS.toNanos(slot.writtenMicros()) > now.nanos();
            }
            return new ReadEntry(new EvenEntry(slots, others).arrive(specs, othersWritten, now), false, isAhead);
        }
    }
}
