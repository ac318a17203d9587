package io.ratelimit.core.queue;

import io.ratelimit.Decision;

/** When a request may go on that was asked whether it may. Thread-safe. */
public interface Turn {

    /**
     * The turn of a request that waits for nothing.
     *
     * @param decision what became of it
     * @return the turn
     */
    static Turn now(Decision decision) {
        return new ImmediateTurn(decision);
    }

    /**
     * What became of the request.
     *
     * @return the decision; one that allows where the request must wait
     */
    Decision decision();

    /**
     * Whether the request may go on only later.
     *
     * @return false where it goes on now, or is refused
     */
    boolean mustWait();

    /**
     * What to tell the client if its turn does not come after all.
     *
     * @return a decision that refuses, where the request must wait
     */
    Decision refusal();

    /**
     * How long until the turn.
     *
     * @return nanoseconds, at least 0; it may come earlier, where somebody else leaves
     */
    long waitNanos();

    /**
     * Waits; to be called once. Where no turn comes any more the waiter is turned away at once.
     *
     * @param waiter hears that it is its turn
     */
    void await(Waiter waiter);

    /**
     * Gives the place up, and what was paid back; not where the turn has come meanwhile.
     *
     * @return false if the wait was over before
     */
    boolean leave();

    /** Gives the place up and goes on before the turn, where waiting turned out to be impossible. */
    void goOnNow();
}
