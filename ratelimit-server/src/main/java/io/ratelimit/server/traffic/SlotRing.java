package io.ratelimit.server.traffic;

import java.util.Arrays;

/**
 * Counts in slots of equal length, of which the newest are kept. Slots are numbered from the epoch on; one that was never
 * counted in, or is not kept any more, holds zeros. Not thread-safe.
 */
final class SlotRing {

    private final Resolution resolution;
    private final long[] counts;
    private long newest = Long.MIN_VALUE;

    SlotRing(Resolution resolution) {
        this.resolution = resolution;
        this.counts = new long[resolution.slots() * Outcome.COUNT];
    }

    /**
     * Counts what happened evenly in a stretch of time.
     *
     * @param from when it begins, in milliseconds since the epoch
     * @param to when it ends, not before
     */
    void add(Outcome outcome, long count, long from, long to) {
        long last = resolution.slotOf(Math.max(from, to - 1));
        moveTo(last);
        long first = Math.max(resolution.slotOf(from), newest - resolution.slots() + 1);
        for (long slot = first; slot <= last; slot++) {
            // Differences of what was rounded once add up to the count.
            long until = slot == last ? count : before(count, from, to, resolution.startOf(slot + 1));
            counts[place(slot, outcome)] += until - before(count, from, to, resolution.startOf(slot));
        }
    }

    /** How many of a count fall before a time. */
    private static long before(long count, long from, long to, long time) {
        return time <= from ? 0 : (long) ((double) count * (time - from) / (to - from));
    }

    private void moveTo(long slot) {
        if (newest == Long.MIN_VALUE || slot - newest >= resolution.slots()) {
            Arrays.fill(counts, 0);
            newest = slot;
        }
        while (newest < slot) {
            newest++;
            int start = place(newest, Outcome.ALLOWED);
            Arrays.fill(counts, start, start + Outcome.COUNT, 0);
        }
    }

    long count(long slot, Outcome outcome) {
        return slot > newest || slot <= newest - resolution.slots() ? 0 : counts[place(slot, outcome)];
    }

    /** All that was counted in a slot and those behind it. */
    long sumFrom(long slot) {
        long sum = 0;
        for (long later = Math.max(slot, newest - resolution.slots() + 1); later <= newest; later++) {
            for (Outcome outcome : Outcome.values()) {
                sum += count(later, outcome);
            }
        }
        return sum;
    }

    private int place(long slot, Outcome outcome) {
        return (int) Math.floorMod(slot, (long) resolution.slots()) * Outcome.COUNT + outcome.place();
    }
}
