package io.ratelimit.client.http;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Waits, on this machine's clock or on a test's. Thread-safe. */
interface Pause {

    /** Holds the thread. */
    void sleep(Duration time) throws InterruptedException;

    /** Completes after a time, without a thread. */
    CompletableFuture<Void> later(Duration time);

    static Pause system() {
        return new Pause() {
            @Override
            public void sleep(Duration time) throws InterruptedException {
                TimeUnit.NANOSECONDS.sleep(time.toNanos());
            }

            @Override
            public CompletableFuture<Void> later(Duration time) {
                return CompletableFuture.runAsync(
                        () -> {},
                        CompletableFuture.delayedExecutor(time.toNanos(), TimeUnit.NANOSECONDS, Runnable::run));
            }
        };
    }
}
