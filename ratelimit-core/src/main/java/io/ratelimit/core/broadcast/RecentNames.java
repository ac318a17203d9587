package io.ratelimit.core.broadcast;

import io.ratelimit.ClientIdentifier;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Names of clients that came lately, in two generations: when the young one is full, the old one is forgotten and the young
 * one is the old. A cache that keeps an order of use writes that down from time to time, which one decision in a hundred
 * would wait for. Thread-safe.
 */
final class RecentNames {

    private final int mostOfGeneration;
    private volatile ConcurrentMap<Known, NamedClient> young = new ConcurrentHashMap<>();
    private volatile Map<Known, NamedClient> old = Map.of();

    private record Known(String service, ClientIdentifier client) {}

    /**
     * Remembers none yet.
     *
     * @param most how many names at most, at least 2; half of them for sure
     */
    RecentNames(int most) {
        this.mostOfGeneration = most / 2;
    }

    /** The name of a client of a service, or null if it is not remembered. */
    @Nullable
    NamedClient find(String service, ClientIdentifier client) {
        Known known = new Known(service, client);
        NamedClient name = young.get(known);
        if (name == null) {
            name = old.get(known);
            if (name != null) {
                remember(known, name);
            }
        }
        return name;
    }

    void remember(String service, ClientIdentifier client, NamedClient name) {
        remember(new Known(service, client), name);
    }

    private void remember(Known known, NamedClient name) {
        if (young.size() >= mostOfGeneration) {
            age();
        }
        young.put(known, name);
    }

    private synchronized void age() {
        if (young.size() >= mostOfGeneration) {
            old = young;
            young = new ConcurrentHashMap<>();
        }
    }
}
