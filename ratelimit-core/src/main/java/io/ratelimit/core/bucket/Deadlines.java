package io.ratelimit.core.bucket;

import io.ratelimit.store.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends waits of one length. Since all are equally long, they end in the order in which they began: a queue does, and
 * the timer is woken once in a while instead of once for each call. Thread-safe.
 */
final class Deadlines {

    private record Wait(long endNanos, CompletableFuture<?> answer) {}

    private final long nanos;
    private final String message;
    private final ScheduledExecutorService timer;
    private final ConcurrentLinkedQueue<Wait> waits = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean alarmed = new AtomicBoolean();

    Deadlines(Duration timeout, ScheduledExecutorService timer) {
        this.nanos = timeout.toNanos();
        this.message = "the store did not answer within " + timeout.toMillis() + " ms";
        this.timer = timer;
    }

    /** Fails the answer unless it completes in time. */
    void limit(CompletableFuture<?> answer) {
        waits.add(new Wait(System.nanoTime() + nanos, answer));
        alarm(nanos);
    }

    private void alarm(long delayNanos) {
        if (alarmed.compareAndSet(false, true)) {
            schedule(delayNanos);
        }
    }

    private void schedule(long delayNanos) {
        try {
            timer.schedule(this::endWaits, Math.max(1, delayNanos), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            alarmed.set(false);
            failAll();
        }
    }

    /** Whatever happens, the alarm is set again while somebody waits. */
    private void endWaits() {
        try {
            endDueWaits();
        } finally {
            alarmed.set(false);
            Wait next = waits.peek();
            if (next != null) {
                alarm(next.endNanos() - System.nanoTime());
            }
        }
    }

    /** Called by one thread at a time, as the alarm is set once. */
    private void endDueWaits() {
        Wait next = waits.peek();
        while (next != null && (next.answer().isDone() || next.endNanos() - System.nanoTime() <= 0)) {
            waits.remove(next);
            if (!next.answer().isDone()) {
                next.answer().completeExceptionally(new StoreException("store-timeout", message));
            }
            next = waits.peek();
        }
    }

    /** Ends all waits at once, where the timer will not. */
    void failAll() {
        for (Wait wait = waits.poll(); wait != null; wait = waits.poll()) {
            wait.answer().completeExceptionally(new StoreException("store-error", "the limiter is closed"));
        }
    }
}
