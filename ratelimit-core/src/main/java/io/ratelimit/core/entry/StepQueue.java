package io.ratelimit.core.entry;

import java.util.ArrayList;
import java.util.List;

/**
 * The steps for one client that wait for a call under way to end. A call that is overdue keeps nobody waiting: whoever
 * comes then makes another. Thread-safe; never locked while something is called.
 */
final class StepQueue {

    /** What becomes of a step that comes. */
    enum Place {
        /** The caller sends it. */
        FIRST,
        /** It goes with the next call. */
        BEHIND,
        /** This queue has been given up: there may be another. */
        CLOSED
    }

    /** So that no message becomes too large; what is beyond goes with the call after the next. */
    private static final int MOST_TOGETHER = 256;

    private final List<QueuedStep> waiting = new ArrayList<>(0);
    private int underWay;
    private long sentNanos;
    private boolean closed;

    synchronized Place enter(QueuedStep step, long nanos) {
        if (closed) {
            return Place.CLOSED;
        }
        if (underWay == 0 || nanos - sentNanos > step.patience().toNanos()) {
            underWay++;
            sentNanos = nanos;
            return Place.FIRST;
        }
        waiting.add(step);
        return Place.BEHIND;
    }

    /**
     * A call has ended.
     *
     * @return whether another is to be made, for those who wait; if not, and none is under way, the queue is given up
     */
    synchronized boolean goesOn() {
        if (!waiting.isEmpty()) {
            return true;
        }
        underWay--;
        closed |= underWay == 0;
        return false;
    }

    /** Gives the queue up, and those who wait in it. */
    synchronized List<QueuedStep> close() {
        closed = true;
        List<QueuedStep> left = List.copyOf(waiting);
        waiting.clear();
        return left;
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Those that go with the next call, in the order in which they came. */
    synchronized List<QueuedStep> leave(long nanos) {
        sentNanos = nanos;
        List<QueuedStep> first = waiting.subList(0, Math.min(MOST_TOGETHER, waiting.size()));
        List<QueuedStep> leaving = List.copyOf(first);
        first.clear();
        return leaving;
    }
}
