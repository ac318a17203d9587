package io.ratelimit.core.queue;

/** Calls back later, unless all comes to an end before; tests call by hand. */
@FunctionalInterface
interface Alarm {

    /**
     * Calls once.
     *
     * @param nanos nanoseconds from now, at least 0
     * @return cancels the call
     */
    Runnable set(long nanos, Runnable task);
}
