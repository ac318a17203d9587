package io.ratelimit.core.permits;

import io.ratelimit.core.ManualTimeSource;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Waits by a clock that only a test moves: a thread that pauses moves it on, an alarm rings when it gets there. */
final class ManualWaiting implements Pause, Alarm {

    private record Call(long due, Runnable task) {}

    private final PriorityQueue<Call> calls = new PriorityQueue<>(Comparator.comparingLong(Call::due));
    private final ManualTimeSource time;
    private boolean interrupting;

    ManualWaiting(ManualTimeSource time) {
        this.time = time;
    }

    /** From now on, whoever pauses is interrupted. */
    void interruptPauses(boolean value) {
        interrupting = value;
    }

    int alarms() {
        return calls.size();
    }

    @Override
    public void await(long nanos) throws InterruptedException {
        if (interrupting) {
            throw new InterruptedException();
        }
        time.advanceNanos(nanos);
    }

    @Override
    public Runnable set(long nanos, Runnable task, AsyncAcquisition waiter) {
        Call call = new Call(time.nanoTime() + nanos, task);
        calls.add(call);
        return () -> calls.remove(call);
    }

    void advance(Duration step) {
        long end = time.nanoTime() + step.toNanos();
        while (!calls.isEmpty() && calls.peek().due() <= end) {
            Call call = calls.remove();
            time.advanceNanos(call.due() - time.nanoTime());
            call.task().run();
        }
        time.advanceNanos(end - time.nanoTime());
    }
}
