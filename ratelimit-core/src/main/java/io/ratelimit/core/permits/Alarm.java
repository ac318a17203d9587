package io.ratelimit.core.permits;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** How somebody who waits without a thread is called back; tests call otherwise. */
@FunctionalInterface
interface Alarm {

    /** The timer that all completable futures of the process share. */
    Alarm SHARED = (nanos, task, waiter) -> {
        CompletableFuture<Void> alarm =
                new CompletableFuture<Void>().completeOnTimeout(null, nanos, TimeUnit.NANOSECONDS);
        alarm.thenRunAsync(task);
        return () -> alarm.cancel(false);
    };

    /**
     * Calls back later, on a thread that may be held for a while.
     *
     * @param nanos nanoseconds, at least 1
     * @param waiter who waits; abandoned where the alarm is closed before
     * @return cancels the call
     */
    Runnable set(long nanos, Runnable task, AsyncAcquisition waiter);
}
