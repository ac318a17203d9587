package io.ratelimit.core.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The meters that one engine has in a registry, which may outlive it: a registry that all applications of a container
 * share must not hold on to one that has ended. Thread-safe; making and removing meters takes a lock, using them none.
 */
final class OwnMeters {

    private final MeterRegistry registry;
    private final Tags tags;
    private final Set<Meter> made = new HashSet<>();
    private boolean closed;

    OwnMeters(MeterRegistry registry, Tags tags) {
        this.registry = registry;
        this.tags = tags;
    }

    /** A counter; null once closed. */
    synchronized @Nullable Counter counter(String name, String description, Tags own) {
        if (closed) {
            return null;
        }
        return kept(Counter.builder(name)
                .description(description)
                .tags(tags.and(own))
                .register(registry));
    }

    synchronized Timer timer(String name, String description, Duration... boundaries) {
        return kept(Timer.builder(name)
                .description(description)
                .tags(tags)
                .serviceLevelObjectives(boundaries)
                .register(registry));
    }

    synchronized void gauge(String name, String description, AtomicLong value) {
        kept(Gauge.builder(name, value, AtomicLong::get)
                .description(description)
                .tags(tags)
                .register(registry));
    }

    private <M extends Meter> M kept(M meter) {
        made.add(meter);
        return meter;
    }

    synchronized void remove(Meter gone) {
        registry.remove(gone);
        made.remove(gone);
    }

    synchronized void close() {
        closed = true;
        made.forEach(registry::remove);
        made.clear();
    }
}
