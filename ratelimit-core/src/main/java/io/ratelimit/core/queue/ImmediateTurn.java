package io.ratelimit.core.queue;

import io.ratelimit.Decision;

/** The turn of a request that waits for nothing, or is refused. */
record ImmediateTurn(Decision decision) implements Turn {

    @Override
    public boolean mustWait() {
        return false;
    }

    @Override
    public Decision refusal() {
        return decision;
    }

    @Override
    public long waitNanos() {
        return 0;
    }

    @Override
    public void await(Waiter waiter) {
        waiter.goOn(decision);
    }

    @Override
    public boolean leave() {
        return false;
    }

    @Override
    public void goOnNow() {
        // It never waited.
    }
}
