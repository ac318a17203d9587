package io.ratelimit.server.traffic;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;

/** What one rule has decided lately. Not thread-safe. */
final class RuleActivity {

    private final Map<Resolution, SlotRing> rings = new EnumMap<>(Resolution.class);
    private long lastMillis;

    RuleActivity() {
        for (Resolution resolution : Resolution.values()) {
            rings.put(resolution, new SlotRing(resolution));
        }
    }

    void add(Outcome outcome, long count, long from, long to) {
        rings.values().forEach(ring -> ring.add(outcome, count, from, to));
        lastMillis = Math.max(lastMillis, to);
    }

    /** When the rule last decided something, in milliseconds since the epoch. */
    long lastMillis() {
        return lastMillis;
    }

    long sumFrom(Resolution resolution, long slot) {
        return ring(resolution).sumFrom(slot);
    }

    /** The count of one slot. */
    long count(Resolution resolution, Outcome outcome, long slot) {
        return ring(resolution).count(slot, outcome);
    }

    /** The counts of some slots. */
    List<Long> counts(Resolution resolution, Outcome outcome, long first, long last) {
        SlotRing ring = ring(resolution);
        return LongStream.rangeClosed(first, last)
                .map(slot -> ring.count(slot, outcome))
                .boxed()
                .toList();
    }

    private SlotRing ring(Resolution resolution) {
        return Objects.requireNonNull(rings.get(resolution));
    }
}
