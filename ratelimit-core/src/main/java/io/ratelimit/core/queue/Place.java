package io.ratelimit.core.queue;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The place of one request in a line. Guarded by the line. */
final class Place {

    /** Where the request is. */
    enum Stage {
        /** It has paid for its turn, and is about to come. */
        EXPECTED,
        IN_LINE,
        GONE
    }

    private Slot slot;
    private Stage stage = Stage.EXPECTED;
    private @Nullable Waiter waiter;

    /** Makes a place that nobody waits at yet, with its turn. */
    Place(Slot slot) {
        this.slot = slot;
    }

    Slot slot() {
        return slot;
    }

    Stage stage() {
        return stage;
    }

    void enter(Waiter waiting) {
        waiter = waiting;
        stage = Stage.IN_LINE;
    }

    void leave() {
        stage = Stage.GONE;
    }

    /** Who waits here. */
    Waiter waiter() {
        return Objects.requireNonNull(waiter, "who is in line waits");
    }

    /**
     * Takes another turn.
     *
     * @return the turn that it had so far
     */
    Slot moveTo(Slot other) {
        Slot own = slot;
        slot = other;
        return own;
    }
}
