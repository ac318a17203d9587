package io.ratelimit.core.broadcast;

import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.core.wire.SpecReader;
import io.ratelimit.core.wire.Wire;
import java.io.ByteArrayInputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message: what some clients have spent on one host, as a {@link ConsumptionNewsWriter} has put it together.
 *
 * @param origin the host
 * @param mark what it says of its sending; null for nothing
 * @param items what each client has spent
 */
record ConsumptionNews(long origin, @Nullable Postmark mark, List<Item> items) {

    /** The first byte of each. */
    static final byte FORM = 1;

    static final long MARK_TAG = 1;

    /** What one client has spent under one rule. Immutable. */
    static final class Item {

        private final SpecForm bucket;
        private final UUID key;
        private final long epoch;
        private final long epochNanos;
        private final Tally tally;
        private final long ageNanos;
        private final long[][] states;

        /**
         * Keeps the array, which must not be written to any more.
         *
         * @param bucket which bucket, and its limits on that host
         * @param key whose
         * @param epoch the later, the larger
         * @param epochNanos how long ago the epoch began
         * @param tally what was spent since then, and has come back
         * @param ageNanos how long ago the first of them was spent that had to be told and was not
         * @param states what the bucket has on that host, for whoever has not heard of the epoch before; may be empty
         */
        Item(SpecForm bucket, UUID key, long epoch, long epochNanos, Tally tally, long ageNanos, long[][] states) {
            this.bucket = bucket;
            this.key = key;
            this.epoch = epoch;
            this.epochNanos = epochNanos;
            this.tally = tally;
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

        Tally tally() {
            return tally;
        }

        long ageNanos() {
            return ageNanos;
        }

        /** Not to be written to. */
        long[][] states() {
            return states;
        }

        /**
         * Whether it says more than another sum of the same source, which is of a later epoch or else larger.
         *
         * @return above 0 if it says more, below 0 if it says less, 0 if it says the same
         */
        int compareWith(long otherEpoch, Tally other) {
            return epoch == otherEpoch ? Long.compare(tally.sum(), other.sum()) : Long.compare(epoch, otherEpoch);
        }

        Item withoutStates() {
            return new Item(bucket, key, epoch, epochNanos, tally, ageNanos, ItemMaker.NO_STATES);
        }

        /** Writes all but the bucket. */
        void writeTo(DataOutput out) throws IOException {
            out.writeLong(key.getMostSignificantBits());
            out.writeLong(key.getLeastSignificantBits());
            Wire.writeUnsigned(out, epoch);
            Wire.writeUnsigned(out, epochNanos);
            tally.writeTo(out);
            Wire.writeUnsigned(out, ageNanos);
            Wire.writeStates(out, states);
        }

        static Item readFrom(DataInput in, SpecReader specs) throws IOException {
            return new Item(
                    specs.read(),
                    new UUID(in.readLong(), in.readLong()),
                    Wire.readAmount(in),
                    Wire.readAmount(in),
                    Tally.readFrom(in),
                    Wire.readAmount(in),
                    Wire.readStates(in));
        }
    }

    private static Postmark markOf(byte[] bytes) throws IOException {
        return Postmark.readFrom(new DataInputStream(new ByteArrayInputStream(bytes)));
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
        SpecReader specs = new SpecReader(in);
        List<Item> items = Wire.readAll(in, () -> Item.readFrom(in, specs));
        byte[] marked = Wire.readAddition(in, MARK_TAG);
        return new ConsumptionNews(origin, marked == null ? null : markOf(marked), items);
    }
}
