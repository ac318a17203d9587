package io.ratelimit;

import java.time.Duration;

/**
 * A turn that was taken: its tokens are spent, and whoever holds it comes back once the wait is over. Thread-safe.
 */
public interface Reservation {

    /**
     * How long to wait for the turn, from the moment of the reservation on.
     *
     * @return the wait, rounded up to nanoseconds; zero where the tokens were there; never null
     */
    Duration waitTime();

    /**
     * Gives the tokens back, once; what of them has refilled since the reservation is not given a second time. The turns
     * behind this one stay where they are: the tokens are for whoever comes next.
     *
     * @return true the first time, false from then on
     */
    boolean cancel();
}
