package io.ratelimit.core.permits;

import io.ratelimit.Reservation;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** A turn that can be given back once. Thread-safe. */
final class TakenTurn implements Reservation {

    private final Attempt.Granted granted;
    private final AtomicBoolean cancelled = new AtomicBoolean();

    TakenTurn(Attempt.Granted granted) {
        this.granted = granted;
    }

    @Override
    public Duration waitTime() {
        return Duration.ofNanos(granted.waitNanos());
    }

    @Override
    public boolean cancel() {
        boolean first = cancelled.compareAndSet(false, true);
        if (first) {
            granted.giveBack().run();
        }
        return first;
    }

    @Override
    public String toString() {
        return "turn in " + waitTime() + (cancelled.get() ? ", cancelled" : "");
    }
}
