package io.ratelimit.core.queue;

/** The place of one request in a line. Guarded by the line. */
final class Place {

    private final Waiter waiter;
    private final long cost;
    private final boolean isExchangeable;
    private Slot slot;

    /**
     * Takes a place.
     *
     * @param waiter goes on when it is its turn
     * @param slot the turn
     * @param cost tokens that the request has paid
     * @param isExchangeable whether another turn is as good, if the request that had it paid the same
     */
    Place(Waiter waiter, Slot slot, long cost, boolean isExchangeable) {
        this.waiter = waiter;
        this.slot = slot;
        this.cost = cost;
        this.isExchangeable = isExchangeable;
    }

    Waiter waiter() {
        return waiter;
    }

    Slot slot() {
        return slot;
    }

    boolean canTakeSlotOf(Place other) {
        return isExchangeable && other.isExchangeable && cost == other.cost;
    }

    /**
     * Moves up.
     *
     * @return the slot that it had so far
     */
    Slot moveTo(Slot free) {
        Slot own = slot;
        slot = free;
        return own;
    }
}
