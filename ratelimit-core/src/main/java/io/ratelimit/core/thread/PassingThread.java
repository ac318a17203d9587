package io.ratelimit.core.thread;

import com.google.common.base.Throwables;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Makes the calls that begin and end the use of a library, each on a thread that is gone when the call returns. Hazelcast
 * leaves the member in a thread-local of whoever makes a call that concerns no single partition, Netty something of its own in
 * those of whoever makes any call, and neither takes it out again: a thread of a servlet container would keep it, and with it
 * all classes of an application that was undeployed.
 */
public final class PassingThread {

    private PassingThread() {}

    /**
     * Makes a call and waits for its end. Who is interrupted meanwhile interrupts the call, and stays interrupted.
     *
     * @param <T> what it gives
     * @param call the call
     * @return what it has given; what it throws is thrown here
     */
    public static <T> T call(Supplier<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> complete(result, call), "ratelimit-passing");
        thread.setDaemon(true);
        thread.start();
        awaitEnd(thread);
        try {
            return result.join();
        } catch (CompletionException e) {
            Throwables.throwIfUnchecked(Objects.requireNonNull(e.getCause()));
            throw e;
        }
    }

    /**
     * Makes a call that gives nothing.
     *
     * @param call the call
     */
    public static void run(Runnable call) {
        call(() -> {
            call.run();
            return true;
        });
    }

    private static <T> void complete(CompletableFuture<T> result, Supplier<T> call) {
        try {
            result.complete(call.get());
        } catch (RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
    }

    private static void awaitEnd(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
                thread.interrupt();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
