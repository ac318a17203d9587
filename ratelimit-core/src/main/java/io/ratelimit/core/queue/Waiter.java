package io.ratelimit.core.queue;

import io.ratelimit.Decision;

/** A request that waits for its turn. One of the two is called, at most once, on a thread that is not to be held. */
public interface Waiter {

    /**
     * It is the request's turn.
     *
     * @param decision the decision that stands for the request: of one who has left, where it took that one's turn
     */
    void goOn(Decision decision);

    /** No turn comes any more, since the limiter ends. */
    void turnAway();
}
