package io.ratelimit.core.retrieve;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A pause that anybody may cut short, but for its first tenth of a second: however often it is rung, it holds that much. */
final class Bell implements Pause {

    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Semaphore rung = new Semaphore(0);

    /** Ends the pause that is under way, or else the next one. */
    void ring() {
        if (rung.availablePermits() == 0) {
            rung.release();
        }
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        long nanos = duration.toNanos();
        long held = Math.min(nanos, SHORTEST_NANOS);
        TimeUnit.NANOSECONDS.sleep(held);
        rung.tryAcquire(nanos - held, TimeUnit.NANOSECONDS);
        rung.drainPermits();
    }
}
