package io.ratelimit.core.permits;

import io.ratelimit.LimitState;

/** What became of an attempt to take tokens. */
sealed interface Attempt {

    /** Nothing to wait for, nothing to give back. */
    Attempt FREE = new Granted(0, () -> {});

    /** No waiting can help. */
    Attempt NEVER = new Refused(LimitState.NEVER);

    /**
     * The tokens were taken.
     *
     * @param waitNanos nanoseconds until their turn, at least 0
     * @param giveBack takes the charge back; to be run once at most
     */
    record Granted(long waitNanos, Runnable giveBack) implements Attempt {}

    /**
     * Nothing was taken.
     *
     * @param waitNanos nanoseconds, at least 1, after which another attempt makes sense; {@link LimitState#NEVER} where
     *     no waiting can help
     */
    record Refused(long waitNanos) implements Attempt {}
}
