package io.ratelimit.core.permits;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Calls by a timer, whose thread is not held. Nobody waits for ever once it is closed. Thread-safe. */
final class TimerAlarm implements Alarm {

    private final ScheduledExecutorService timer;
    private final Set<AsyncAcquisition> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    TimerAlarm(ScheduledExecutorService timer) {
        this.timer = timer;
    }

    @Override
    public Runnable set(long nanos, Runnable task, AsyncAcquisition waiter) {
        waiting.add(waiter);
        if (closed) {
            // Whoever closes may have looked before this wait began.
            waiting.remove(waiter);
            waiter.abandon();
            return () -> {};
        }
        try {
            Future<?> call = timer.schedule(() -> call(task, waiter), nanos, TimeUnit.NANOSECONDS);
            return () -> {
                waiting.remove(waiter);
                call.cancel(false);
            };
        } catch (RejectedExecutionException shutDown) {
            waiting.remove(waiter);
            waiter.abandon();
            return () -> {};
        }
    }

    void close() {
        closed = true;
        // Each leaves the set by itself when it is answered.
        List.copyOf(waiting).forEach(AsyncAcquisition::abandon);
    }

    private void call(Runnable task, AsyncAcquisition waiter) {
        ForkJoinPool.commonPool().execute(() -> {
            waiting.remove(waiter);
            task.run();
        });
    }
}
