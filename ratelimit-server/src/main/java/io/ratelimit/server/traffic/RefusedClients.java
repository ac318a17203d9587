package io.ratelimit.server.traffic;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The clients that one rule has refused most in the last 12 to 15 minutes, counted in panes of 3 minutes. Not thread-safe. */
final class RefusedClients {

    private static final long PANE_MILLIS = 180_000;
    private static final int PANES = 5;
    private static final int KEPT_NAMES = 100;

    private final TreeMap<Long, SpaceSaving> panes = new TreeMap<>();

    void add(String client, long count, long millis, long now) {
        forget(now);
        long pane = millis / PANE_MILLIS;
        if (pane > now / PANE_MILLIS - PANES) {
            panes.computeIfAbsent(pane, begun -> new SpaceSaving(KEPT_NAMES)).add(client, count);
        }
    }

    boolean isEmpty(long now) {
        forget(now);
        return panes.isEmpty();
    }

    List<MostRefused> top(int most, long now) {
        forget(now);
        Map<String, SpaceSaving.Counter> all = new HashMap<>();
        panes.values()
                .forEach(pane -> pane.counters()
                        .forEach((client, counter) -> all.merge(client, counter, SpaceSaving.Counter::plus)));
        return all.entrySet().stream()
                .map(entry -> new MostRefused(
                        entry.getKey(),
                        entry.getValue().count(),
                        entry.getValue().excess()))
                .sorted(Comparator.comparingLong(MostRefused::refused)
                        .reversed()
                        .thenComparing(MostRefused::client))
                .limit(most)
                .toList();
    }

    private void forget(long now) {
        panes.headMap(now / PANE_MILLIS - PANES, true).clear();
    }
}
