package io.ratelimit.core.queue;

import io.ratelimit.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** All lines of a host. A line is there for as long as somebody has a place in it. Thread-safe. */
public final class WaitingLines implements AutoCloseable {

    /** Of all clients together: each holds a request and its connection. */
    private static final int MOST_WAITING = 10_000;

    private final ConcurrentMap<LineKey, Crowd> crowds = new ConcurrentHashMap<>();
    private final AtomicInteger all = new AtomicInteger();
    private final TimeSource timeSource;
    private final Alarm alarm;
    private final LongConsumer watch;
    private final Consumer<Throwable> faults;
    private volatile boolean closed;

    /** Those who have a place in a line, or are about to take one. */
    private record Crowd(Line line, int size) {

        private Crowd plus(int more) {
            return new Crowd(line, size + more);
        }
    }

    /**
     * Begins without any.
     *
     * @param timeSource the clock of turns
     * @param timer calls those whose turn it is; stays its owner's to shut down
     * @param watch hears how many wait, whenever that changes
     * @param faults hears why a waiter failed
     */
    public WaitingLines(
            TimeSource timeSource, ScheduledExecutorService timer, LongConsumer watch, Consumer<Throwable> faults) {
        this(timeSource, alarmOf(timer), watch, faults);
    }

    WaitingLines(TimeSource timeSource, Alarm alarm, LongConsumer watch, Consumer<Throwable> faults) {
        this.watch = watch;
        this.timeSource = timeSource;
        this.alarm = alarm;
        this.faults = faults;
    }

    private static Alarm alarmOf(ScheduledExecutorService timer) {
        return (nanos, task) -> {
            try {
                Future<?> call = timer.schedule(task, nanos, TimeUnit.NANOSECONDS);
                return () -> call.cancel(false);
            } catch (RejectedExecutionException ended) {
                // Those who wait are turned away by whoever closes the lines.
                return () -> {};
            }
        };
    }

    /**
     * Takes a place in each of some lines.
     *
     * @param wanted the places, at least one
     * @return the places, or null where a line is full or the host has no room for more
     */
    public @Nullable Places reserve(List<WantedPlace> wanted) {
        if (closed) {
            return null;
        }
        if (all.incrementAndGet() > MOST_WAITING) {
            all.decrementAndGet();
            return null;
        }
        List<LineKey> taken = new ArrayList<>(wanted.size());
        for (WantedPlace place : wanted) {
            if (!expect(place)) {
                expectNoMore(taken);
                release(taken);
                return null;
            }
            taken.add(place.line());
        }
        watch.accept(all.get());
        return new Places(this, taken);
    }

    private boolean expect(WantedPlace place) {
        // Each call has an answer of its own, which the map's function cannot give.
        boolean[] expected = new boolean[1];
        crowds.compute(place.line(), (key, before) -> {
            Crowd crowd = before == null ? new Crowd(new Line(timeSource, alarm), 0) : before;
            expected[0] = crowd.size() < place.most();
            if (expected[0]) {
                crowd.line().expect();
                return crowd.plus(1);
            }
            return before;
        });
        return expected[0];
    }

    /** Says that nobody is being charged any more who has reserved places in some lines. */
    void expectNoMore(List<LineKey> reserved) {
        reserved.forEach(key -> line(key).expectNoMore());
    }

    /** The line of a place that has been reserved. */
    Line line(LineKey key) {
        Crowd crowd = crowds.get(key);
        if (crowd == null) {
            throw new IllegalStateException("a line is there while a place in it is reserved");
        }
        return crowd.line();
    }

    /** Gives reserved places up. */
    void release(List<LineKey> lines) {
        all.decrementAndGet();
        for (LineKey key : lines) {
            crowds.computeIfPresent(key, (same, crowd) -> crowd.size() == 1 ? null : crowd.plus(-1));
        }
        watch.accept(all.get());
    }

    long nanoTime() {
        return timeSource.nanoTime();
    }

    boolean isClosed() {
        return closed;
    }

    /** A waiter that fails keeps nobody behind it waiting. */
    void call(Runnable waiter) {
        try {
            waiter.run();
        } catch (Throwable e) {
            // The container and the application are in it.
            faults.accept(e);
        }
    }

    /**
     * How many requests have a place.
     *
     * @return at least 0
     */
    public int waiting() {
        return all.get();
    }

    /** Turns all away who wait, and whoever comes. */
    @Override
    public void close() {
        closed = true;
        for (Crowd crowd : crowds.values()) {
            crowd.line().end().forEach(place -> place.waiter().turnAway());
        }
    }
}
