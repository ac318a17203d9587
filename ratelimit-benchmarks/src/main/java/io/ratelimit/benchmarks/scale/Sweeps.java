package io.ratelimit.benchmarks.scale;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Forgets clients who are gone, now and then as the engine does, and says how long that takes. Thread-safe. */
final class Sweeps {

    /** The engine's own. */
    static final Duration EVERY = Duration.ofSeconds(30);

    private final Population population;
    private long count;
    private long longestNanos;
    private long mostKept;

    Sweeps(Population population) {
        this.population = population;
    }

    synchronized void sweep() {
        mostKept = Math.max(mostKept, population.size().getAsLong());
        long start = System.nanoTime();
        population.sweep().run();
        longestNanos = Math.max(longestNanos, System.nanoTime() - start);
        count++;
    }

    /** Sweeps in a thread of its own, for the first time after half of the interval, until that is ended. */
    ExecutorService start() {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        long millis = EVERY.toMillis();
        thread.scheduleAtFixedRate(this::sweep, millis / 2, millis, TimeUnit.MILLISECONDS);
        return thread;
    }

    synchronized Row addTo(Row row) {
        return row.with(Figure.SWEEPS, count)
                .with(Figure.LONGEST_SWEEP, (double) longestNanos / TimeUnit.MILLISECONDS.toNanos(1))
                .with(Figure.MOST_KEPT, mostKept)
                .with(Figure.KEPT, population.size().getAsLong());
    }
}
