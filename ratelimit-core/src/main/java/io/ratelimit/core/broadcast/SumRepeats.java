package io.ratelimit.core.broadcast;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;

/**
 * What nobody adds to is told again, and again after four times as long, since messages get lost. Not thread-safe.
 */
final class SumRepeats {

    private static final long FIRST_PAUSE_NANOS = 250_000_000L;

    private static final int TIMES = 4;

    private final Queue<Repeat> waiting = new PriorityQueue<>();

    /**
     * What is told once more.
     *
     * @param toldNanos when it was told for the first time
     * @param dueNanos when it is to be told again
     * @param pauseNanos how long after the first time
     * @param left how often it is told still, this time included
     */
    record Repeat(RelayedSum sum, long toldNanos, long dueNanos, long pauseNanos, int left)
            implements Comparable<Repeat> {

        private Repeat next(long nanos) {
            return new Repeat(sum, toldNanos, nanos + 3 * pauseNanos, 4 * pauseNanos, left - 1);
        }

        @Override
        public int compareTo(Repeat other) {
            return Long.signum(dueNanos - other.dueNanos);
        }
    }

    /** It was told for the first time. */
    void begin(RelayedSum sum, long nanos) {
        waiting.add(new Repeat(sum, nanos, nanos + FIRST_PAUSE_NANOS, FIRST_PAUSE_NANOS, TIMES));
    }

    /** It was told again, and may be once more. */
    void goOn(Repeat told, long nanos) {
        if (told.left() > 1) {
            waiting.add(told.next(nanos));
        }
    }

    /** What is to be told again now: each once, however long it is due, so that a pause does not use up all that is left. */
    List<Repeat> due(long nanos) {
        List<Repeat> due = new ArrayList<>();
        while (!waiting.isEmpty() && nanos - waiting.element().dueNanos() >= 0) {
            due.add(waiting.remove());
        }
        return due;
    }
}
