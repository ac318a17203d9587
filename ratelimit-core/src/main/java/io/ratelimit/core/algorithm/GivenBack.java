package io.ratelimit.core.algorithm;

import java.util.Arrays;

/**
 * What was given back to a bucket that refills evenly, for the receipts of other charges. Charges stand in line, each at
 * the state that it left, and come back in that order. When one of them is given back, those behind it come back earlier
 * than their receipts say, and those before it do not. So this keeps the gaps that refunds have left in the line, counted
 * as if nobody had moved up: a receipt's place in it is its state and all that had been given back when it was made.
 *
 * <p>Gaps that lie next to each other are one, and those whose place has come back are forgotten. Of more than
 * {@value #MOST_GAPS} the first is forgotten too: charges before it may then get less back than they hold, and never more.
 * Units are those of {@link CellRate}. Immutable; safe for use by any thread.
 */
public final class GivenBack {

    /** Nothing yet. */
    public static final GivenBack NOTHING = new GivenBack(0, new long[0], new long[0]);

    private static final int MOST_GAPS = 64;

    private final long total;

    /** Where the gaps end, in order. */
    private final long[] ends;

    private final long[] lengths;

    private GivenBack(long total, long[] ends, long[] lengths) {
        this.total = total;
        this.ends = ends;
        this.lengths = lengths;
    }

    /**
     * All that was given back, which is what a receipt must remember of its time.
     *
     * @return units, at least 0
     */
    public long total() {
        return total;
    }

    /**
     * As it can travel to a clock with another origin.
     *
     * @param place the place of a full bucket on this clock
     * @return words: the total, and for each gap its end and its length
     */
    public long[] depart(long place) {
        long[] words = new long[1 + 2 * ends.length];
        words[0] = total;
        for (int i = 0; i < ends.length; i++) {
            words[1 + 2 * i] = ends[i] - place;
            words[2 + 2 * i] = lengths[i];
        }
        return words;
    }

    /**
     * What has arrived from another clock.
     *
     * @param words as {@link #depart} gives them
     * @param place the place of a full bucket on this clock
     * @return what was given back
     * @throws IllegalArgumentException if the words are none
     */
    public static GivenBack arrive(long[] words, long place) {
        if (words.length % 2 == 0 || words.length > 1 + 2 * MOST_GAPS) {
            throw new IllegalArgumentException("what was given back arrives as " + words.length + " words");
        }
        int gaps = words.length / 2;
        long[] ends = new long[gaps];
        long[] lengths = new long[gaps];
        for (int i = 0; i < gaps; i++) {
            ends[i] = words[1 + 2 * i] + place;
            lengths[i] = words[2 + 2 * i];
        }
        return new GivenBack(words[0], ends, lengths);
    }

    /** How much earlier a charge comes back than its receipt says. */
    long before(long stateAfterCharge, long totalThen) {
        long place = stateAfterCharge + totalThen;
        long behind = 0;
        for (int i = ends.length - 1; i >= 0 && CellRate.distance(ends[i], place) > 0; i--) {
            behind += Math.min(lengths[i], CellRate.distance(ends[i], place));
        }
        return Math.max(0, total - behind - totalThen);
    }

    /**
     * Takes note of a refund.
     *
     * @param stateAfterCharge the state that the refunded charge had left
     * @param totalThen what had been given back then
     * @param units what is given back of it, at least 1
     * @param full the state of a full bucket now
     */
    GivenBack plus(long stateAfterCharge, long totalThen, long units, long full) {
        long place = stateAfterCharge + totalThen;
        int from = firstToCome(full);
        int at = from;
        while (at < ends.length && CellRate.distance(ends[at], place) < 0) {
            at++;
        }
        long[] newEnds = Arrays.copyOfRange(ends, from, ends.length + 1);
        long[] newLengths = Arrays.copyOfRange(lengths, from, lengths.length + 1);
        int gap = at - from;
        System.arraycopy(newEnds, gap, newEnds, gap + 1, newEnds.length - gap - 1);
        System.arraycopy(newLengths, gap, newLengths, gap + 1, newLengths.length - gap - 1);
        newEnds[gap] = place;
        newLengths[gap] = units;
        return joined(total + units, newEnds, newLengths);
    }

    /** The first gap whose place has not come back. */
    private int firstToCome(long full) {
        long before = total - Arrays.stream(lengths).sum();
        int first = 0;
        while (first < ends.length && CellRate.distance(ends[first] - before - lengths[first], full) <= 0) {
            before += lengths[first];
            first++;
        }
        return first;
    }

    private static GivenBack joined(long total, long[] ends, long[] lengths) {
        int gaps = 0;
        for (int i = 0; i < ends.length; i++) {
            boolean touches = gaps > 0 && CellRate.distance(ends[i] - lengths[i], ends[gaps - 1]) <= 0;
            if (touches) {
                lengths[gaps - 1] += lengths[i];
                ends[gaps - 1] = ends[i];
            } else {
                ends[gaps] = ends[i];
                lengths[gaps] = lengths[i];
                gaps++;
            }
        }
        int from = Math.max(0, gaps - MOST_GAPS);
        return new GivenBack(total, Arrays.copyOfRange(ends, from, gaps), Arrays.copyOfRange(lengths, from, gaps));
    }
}
