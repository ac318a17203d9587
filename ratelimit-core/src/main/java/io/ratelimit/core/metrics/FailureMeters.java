package io.ratelimit.core.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** Counts failures by kind. A store of the application's own may name kinds too, but not very many. Thread-safe. */
final class FailureMeters {

    static final int MOST_KINDS = 20;

    private final OwnMeters meters;
    private final ConcurrentMap<String, Counter> byKind = new ConcurrentHashMap<>();

    FailureMeters(OwnMeters meters) {
        this.meters = meters;
    }

    void count(String kind) {
        Counter counter = of(byKind.size() < MOST_KINDS || byKind.containsKey(kind) ? kind : "other");
        if (counter != null) {
            counter.increment();
        }
    }

    private @Nullable Counter of(String kind) {
        return byKind.computeIfAbsent(
                kind,
                name -> meters.counter(
                        "ratelimit.failures", "Failures that the limiter dealt with", Tags.of("kind", name)));
    }
}
