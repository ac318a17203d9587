package io.ratelimit.core.broadcast;

import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.core.wire.SpecReader;
import io.ratelimit.core.wire.SpecWriter;
import io.ratelimit.core.wire.Wire;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A message: what some clients have spent on one host.
 *
 * @param origin the host
 * @param items what each client has spent
 */
record ConsumptionNews(long origin, List<Item> items) {

    private static final byte FORM = 1;

    /** What one client has spent under one rule. Immutable. */
    static final class Item {

        private final SpecForm bucket;
        private final UUID key;
        private final long epoch;
        private final long epochNanos;
        private final long spent;
        private final long ageNanos;
        private final long[][] states;

        /**
         * Keeps the array, which must not be written to any more.
         *
         * @param bucket which bucket, and its limits on that host
         * @param key whose
         * @param epoch the later, the larger
         * @param epochNanos how long ago the epoch began
         * @param spent tokens since then
         * @param ageNanos how long ago the first of them was spent that is new
         * @param states what the bucket has on that host, for whoever has not heard of the epoch before; may be empty
         */
        Item(SpecForm bucket, UUID key, long epoch, long epochNanos, long spent, long ageNanos, long[][] states) {
            this.bucket = bucket;
            this.key = key;
            this.epoch = epoch;
            this.epochNanos = epochNanos;
            this.spent = spent;
            this.ageNanos = ageNanos;
            this.states = states;
        }

        SpecForm bucket() {
            return bucket;
        }

        UUID key() {
            return key;
        }

        long epoch() {
            return epoch;
        }

        long epochNanos() {
            return epochNanos;
        }

        long spent() {
            return spent;
        }

        long ageNanos() {
            return ageNanos;
        }

        /** Not to be written to. */
        long[][] states() {
            return states;
        }

        private void writeTo(DataOutputStream out, SpecWriter specs) throws IOException {
            specs.write(bucket);
            out.writeLong(key.getMostSignificantBits());
            out.writeLong(key.getLeastSignificantBits());
            Wire.writeUnsigned(out, epoch);
            Wire.writeUnsigned(out, epochNanos);
            Wire.writeUnsigned(out, spent);
            Wire.writeUnsigned(out, ageNanos);
            Wire.writeStates(out, states);
        }

        private static Item readFrom(DataInputStream in, SpecReader specs) throws IOException {
            return new Item(
                    specs.read(),
                    new UUID(in.readLong(), in.readLong()),
                    Wire.readUnsigned(in),
                    Wire.readUnsigned(in),
                    Wire.readUnsigned(in),
                    Wire.readUnsigned(in),
                    Wire.readStates(in));
        }
    }

    byte[] toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        try {
            out.writeByte(FORM);
            out.writeLong(origin);
            Wire.writeUnsigned(out, items.size());
            SpecWriter specs = new SpecWriter(out);
            for (Item item : items) {
                item.writeTo(out, specs);
            }
            Wire.writeNoAdditions(out);
        } catch (IOException e) {
            throw new UncheckedIOException("arrays take all that is written to them", e);
        }
        return bytes.toByteArray();
    }

    /**
     * Reads a message.
     *
     * @throws IOException if it is of another version, or damaged
     */
    static ConsumptionNews of(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        Wire.readForm(in, FORM);
        long origin = in.readLong();
        int count = Wire.readCount(in);
        SpecReader specs = new SpecReader(in);
        List<Item> items = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            items.add(Item.readFrom(in, specs));
        }
        Wire.skipAdditions(in);
        return new ConsumptionNews(origin, items);
    }
}
