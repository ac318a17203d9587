package io.ratelimit.server.traffic;

import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/**
 * The most frequent of very many names in little room (Metwally, Agrawal, El Abbadi: Efficient Computation of Frequent and
 * Top-k Elements in Data Streams, 2005): a name that finds no place takes that of the rarest, whose count it inherits as
 * what it may be too high by. Every name that makes up more than 1/capacity of all is among those kept. Not thread-safe.
 */
final class SpaceSaving {

    private final int capacity;
    private final Map<String, Counter> counters = new HashMap<>();

    /**
     * How often a name came.
     *
     * @param count how often at most
     * @param excess by how much that may be too high
     */
    record Counter(long count, long excess) {

        Counter plus(Counter other) {
            return new Counter(count + other.count, excess + other.excess);
        }
    }

    SpaceSaving(int capacity) {
        this.capacity = capacity;
    }

    void add(String name, long count) {
        long inherited = 0;
        if (counters.size() >= capacity && !counters.containsKey(name)) {
            Map.Entry<String, Counter> rarest = Collections.min(
                    counters.entrySet(),
                    Comparator.comparingLong(entry -> entry.getValue().count()));
            inherited = rarest.getValue().count();
            counters.remove(rarest.getKey());
        }
        counters.merge(name, new Counter(inherited + count, inherited), Counter::plus);
    }

    Map<String, Counter> counters() {
        return Collections.unmodifiableMap(counters);
    }
}
