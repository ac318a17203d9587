package io.ratelimit.core.bucket;

import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.core.algorithm.Moment;
import java.util.Arrays;

/**
 * Where a slot of a {@link BucketSegment} has the states of a client: behind his fingerprint, one limit's after the
 * other's. A state that is one word of 63 bits shares it with the slot's lock, so that it can be changed without locking.
 * States whose number of words varies lie outside the slot, and long ones: the slack of their slots would take more memory
 * than an object for each client. Immutable.
 */
final class SlotLayout {

    private static final int FINGERPRINT = 1;

    /** From about so many words on, an object takes less than two fifths of them as slack. */
    private static final int MOST_WORDS_INSIDE = 16;

    private final int[] lengths;
    private final int stride;
    private final boolean isBare;
    private final boolean isOutside;

    private SlotLayout(int[] lengths, boolean isBare, boolean isOutside) {
        this.lengths = lengths;
        this.isBare = isBare;
        this.isOutside = isOutside;
        this.stride = FINGERPRINT + (isOutside ? 0 : Arrays.stream(lengths).sum());
    }

    /**
     * The layout of a spec's slots.
     *
     * @param algorithms how its limits count
     * @param isBare whether the state is that of a single limit, one word of 63 bits
     * @return the layout
     */
    static SlotLayout of(LimitAlgorithm[] algorithms, boolean isBare) {
        Moment any = Moment.ofNanos(0);
        int[] lengths = Arrays.stream(algorithms)
                .mapToInt(algorithm -> algorithm.full(any).length)
                .toArray();
        boolean isFixed = Arrays.stream(algorithms).allMatch(LimitAlgorithm::hasFixedState);
        boolean isOutside = !isFixed || Arrays.stream(lengths).sum() > MOST_WORDS_INSIDE;
        return new SlotLayout(lengths, isBare, isOutside);
    }

    /** The words of a slot. */
    int stride() {
        return stride;
    }

    /** Whether the state shares its word with the lock. */
    boolean isBare() {
        return isBare;
    }

    /** Whether states lie outside the slots. */
    boolean isOutside() {
        return isOutside;
    }

    /** The states in a slot that begins at a place. */
    long[][] read(long[] words, int at) {
        if (isBare) {
            return new long[][] {{words[at + FINGERPRINT] >> 1}};
        }
        long[][] states = new long[lengths.length][];
        int from = at + FINGERPRINT;
        for (int i = 0; i < lengths.length; i++) {
            states[i] = Arrays.copyOfRange(words, from, from + lengths[i]);
            from += lengths[i];
        }
        return states;
    }

    /** Writes states into a slot whose lock is not in the state. */
    void write(long[] words, int at, long[][] states) {
        int from = at + FINGERPRINT;
        for (int i = 0; i < lengths.length; i++) {
            System.arraycopy(states[i], 0, words, from, lengths[i]);
            from += lengths[i];
        }
    }
}
