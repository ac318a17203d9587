package io.ratelimit.core.queue;

import io.ratelimit.Decision;
import java.util.List;

/** The places of one request, before it has its turn. Used by one thread. */
public final class Places {

    private final WaitingLines lines;
    private final List<LineKey> keys;

    Places(WaitingLines lines, List<LineKey> keys) {
        this.lines = lines;
        this.keys = List.copyOf(keys);
    }

    /** Gives the places up, since they are not needed. */
    public void release() {
        lines.expectNoMore(keys);
        lines.release(keys);
    }

    /**
     * Waits in them.
     *
     * @param decision the decision that let the request pass at its turn
     * @param refusal what the request is told if its turn does not come after all
     * @param waitNanos how long until the turn, in nanoseconds, at least 1
     * @param cost tokens that the request has paid
     * @param isExchangeable whether it has paid them for this alone, so that another turn is as good
     * @param takeBack gives these back
     * @return the turn
     */
    public Turn turn(
            Decision decision, Decision refusal, long waitNanos, long cost, boolean isExchangeable, Runnable takeBack) {
        Slot slot =
                new Slot(lines.nanoTime() + waitNanos, decision, cost, isExchangeable && keys.size() == 1, takeBack);
        // It waits in the first.
        lines.expectNoMore(keys.subList(1, keys.size()));
        return new WaitingTurn(lines, keys, new Place(slot), refusal);
    }
}
