package io.ratelimit.core.entry;

import io.ratelimit.core.algorithm.CellRate;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.wire.SpecForm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client's entry as far as it can be told in numbers, for a store whose own script makes {@linkplain EvenCall calls} on it:
 * of each bucket what was missing, and when. Buckets whose limits do not all refill evenly, or to which something was given
 * back lately, are beside these, as only hosts understand them. Immutable.
 */
public final class EvenEntry {

    private static final long[][] NOTHING_GIVEN_BACK = {};
    private static final long NANOS_PER_MICRO = 1_000;

    /** One bucket. Immutable. */
    public static final class Slot {

        private final SpecForm bucket;
        private final long writtenMicros;
        private final long[] missing;

        /**
         * Describes a bucket.
         *
         * @param bucket what it counts by
         * @param writtenMicros when this was so, in microseconds of the clock of whoever keeps the entry
         * @param missing the units that were missing under each limit; kept, and not to be written to any more
         * @throws IllegalArgumentException if so many cannot be missing
         */
        public Slot(SpecForm bucket, long writtenMicros, long[] missing) {
            for (long units : missing) {
                if (units < 0 || units > EvenRange.MOST) {
                    throw new IllegalArgumentException(units + " units are missing, which cannot be");
                }
            }
            this.bucket = bucket;
            this.writtenMicros = writtenMicros;
            this.missing = missing;
        }

        /**
         * What it counts by.
         *
         * @return its form
         */
        public SpecForm bucket() {
            return bucket;
        }

        /**
         * When this was so.
         *
         * @return microseconds
         */
        public long writtenMicros() {
            return writtenMicros;
        }

        /**
         * What was missing under each limit.
         *
         * @return units, not to be written to
         */
        public long[] missing() {
            return missing;
        }

        /** A clock that was set back since brings the bucket no later than its waits have said. */
        private BucketSlot arrive(KnownSpecs specs, Moment now) {
            Moment then = now.minusNanos(Math.max(0, now.nanos() - writtenMicros * NANOS_PER_MICRO));
            long[][] states =
                    Arrays.stream(missing).mapToObj(units -> new long[] {units}).toArray(long[][]::new);
            return BucketSlot.arrived(specs.of(bucket), states, NOTHING_GIVEN_BACK, then)
                    .refreshed(then, now);
        }

        private static @Nullable Slot of(BucketSlot slot, Moment now) {
            CellRate[] rates = EvenRange.ratesOf(slot.spec());
            if (rates == null || slot.refunds().usefulNanos(now) > 0) {
                return null;
            }
            long[] missing = new long[rates.length];
            for (int i = 0; i < rates.length; i++) {
                missing[i] = rates[i].used(slot.states()[i][0], now.nanos());
                if (missing[i] > EvenRange.MOST) {
                    return null;
                }
            }
            // A bucket that is full is kept for a while from when it was.
            long since =
                    slot.isFull(now) ? now.nanos() + slot.keptNanos(now) - BucketSlot.KEPT_FULL_NANOS : now.nanos();
            return new Slot(slot.bucket().form(), Math.floorDiv(since, NANOS_PER_MICRO), missing);
        }
    }

    private final List<Slot> slots;
    private final DepartedEntry others;

    /**
     * Describes an entry.
     *
     * @param slots the buckets that numbers tell
     * @param others the others
     */
    public EvenEntry(List<Slot> slots, DepartedEntry others) {
        this.slots = List.copyOf(slots);
        this.others = others;
    }

    /**
     * An entry in numbers.
     *
     * @param entry the entry, whose limits are on a clock of microseconds
     * @param now the time on the clock that it was written by
     * @return its buckets that are not to be forgotten
     */
    public static EvenEntry of(ClientEntry entry, Moment now) {
        List<Slot> slots = new ArrayList<>(2);
        List<BucketSlot> others = new ArrayList<>(0);
        for (BucketSlot bucket : entry.slots(now)) {
            Slot slot = Slot.of(bucket, now);
            if (slot == null) {
                others.add(bucket);
            } else {
                slots.add(slot);
            }
        }
        return new EvenEntry(slots, DepartedEntry.of(others, RecentCalls.NONE, now));
    }

    /**
     * The buckets that numbers tell.
     *
     * @return those that are not to be forgotten
     */
    public List<Slot> slots() {
        return slots;
    }

    /**
     * The buckets that numbers do not tell.
     *
     * @return those that are not to be forgotten
     */
    public DepartedEntry others() {
        return others;
    }

    /**
     * The entry as {@linkplain EntryCall calls} take it.
     *
     * @param specs what forms mean, on a clock of microseconds
     * @param othersWritten when the others were written
     * @param now the time
     * @return the entry
     * @throws IllegalArgumentException if what is missing does not fit the limits
     */
    public ClientEntry arrive(KnownSpecs specs, Moment othersWritten, Moment now) {
        Moment then = othersWritten.nanos() <= now.nanos() ? othersWritten : now;
        List<BucketSlot> arrived = new ArrayList<>(others.arrive(specs, then).slots(now));
        slots.forEach(slot -> arrived.add(slot.arrive(specs, now)));
        return ClientEntry.of(now, arrived, RecentCalls.NONE);
    }
}
