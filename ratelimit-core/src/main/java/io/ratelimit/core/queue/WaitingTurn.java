package io.ratelimit.core.queue;

import io.ratelimit.Decision;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** The turn of a request that waits in one line, and counts in all that it needs a place in. Thread-safe. */
final class WaitingTurn implements Turn {

    private final WaitingLines lines;
    private final List<LineKey> keys;
    private final Line line;
    private final Place place;
    private final Slot slot;
    private final Decision refusal;
    private final AtomicBoolean over = new AtomicBoolean();

    WaitingTurn(WaitingLines lines, List<LineKey> keys, Place place, Decision refusal) {
        this.lines = lines;
        this.keys = keys;
        this.line = lines.line(keys.get(0));
        this.place = place;
        this.slot = place.slot();
        this.refusal = refusal;
    }

    @Override
    public Decision decision() {
        return slot.decision();
    }

    @Override
    public boolean mustWait() {
        return true;
    }

    @Override
    public Decision refusal() {
        return refusal;
    }

    @Override
    public long waitNanos() {
        return Math.max(0, slot.turnNanos() - lines.nanoTime());
    }

    @Override
    public void await(Waiter waiter) {
        line.enter(place, new OnceCalled(waiter));
        // Whoever closed the lines may have looked before this place was taken.
        if (lines.isClosed() && leave()) {
            lines.call(waiter::turnAway);
        }
    }

    @Override
    public boolean leave() {
        return end(() -> line.leave(place));
    }

    @Override
    public void goOnNow() {
        end(() -> line.goOnNow(place));
    }

    private boolean end(Runnable leaving) {
        boolean first = over.compareAndSet(false, true);
        if (first) {
            leaving.run();
            lines.release(keys);
        }
        return first;
    }

    /** The wait ends once, whoever ends it. */
    private final class OnceCalled implements Waiter {

        private final Waiter waiter;

        OnceCalled(Waiter waiter) {
            this.waiter = waiter;
        }

        @Override
        public void goOn(Decision decision) {
            if (end(() -> {})) {
                lines.call(() -> waiter.goOn(decision));
            }
        }

        @Override
        public void turnAway() {
            if (end(() -> {})) {
                lines.call(waiter::turnAway);
            }
        }
    }
}
