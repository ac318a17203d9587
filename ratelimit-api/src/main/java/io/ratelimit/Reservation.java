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
     * Gives the turn up, once: its tokens are for whoever comes next. What of them has refilled since the reservation is
     * not given a second time, and nothing is where later turns have been given: those stay where they are, and nobody may
     * share them.
     *
     * @return true the first time, false from then on
     */
    boolean cancel();
}
