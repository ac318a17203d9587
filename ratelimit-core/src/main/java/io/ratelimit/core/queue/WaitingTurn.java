package io.ratelimit.core.queue;

import io.ratelimit.Decision;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The turn of a request that waits in one line, and counts in all that it needs a place in. Thread-safe. */
final class WaitingTurn implements Turn {

    private final WaitingLines lines;
    private final List<LineKey> keys;
    private final Line line;
    private final Slot slot;
    private final Decision refusal;
    private final long cost;
    private final boolean isExchangeable;
    private final AtomicReference<@Nullable Place> place = new AtomicReference<>();
    private final AtomicBoolean over = new AtomicBoolean();

    WaitingTurn(
            WaitingLines lines, List<LineKey> keys, Slot slot, Decision refusal, long cost, boolean isExchangeable) {
        this.lines = lines;
        this.keys = keys;
        this.line = lines.line(keys.get(0));
        this.slot = slot;
        this.refusal = refusal;
        this.cost = cost;
        this.isExchangeable = isExchangeable;
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
        Place taken = new Place(new OnceCalled(waiter), slot, cost, isExchangeable);
        place.set(taken);
        line.enter(taken);
        if (lines.isClosed() && end()) {
            // Whoever closed the lines may have looked before this place was taken.
            giveUp(taken);
            lines.call(waiter::turnAway);
        } else if (over.get()) {
            // Whoever left may have looked in the line before this place was taken.
            giveUp(taken);
        }
    }

    @Override
    public boolean leave() {
        if (!end()) {
            return false;
        }
        giveUp(place.get());
        return true;
    }

    private void giveUp(@Nullable Place taken) {
        Slot free = taken == null ? slot : line.leave(taken);
        if (free != null) {
            free.takeBack().run();
        }
    }

    @Override
    public void goOnNow() {
        end();
    }

    private boolean end() {
        boolean first = over.compareAndSet(false, true);
        if (first) {
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
            if (end()) {
                lines.call(() -> waiter.goOn(decision));
            }
        }

        @Override
        public void turnAway() {
            if (end()) {
                lines.call(waiter::turnAway);
            }
        }
    }
}
