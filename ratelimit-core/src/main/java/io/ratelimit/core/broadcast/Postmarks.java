package io.ratelimit.core.broadcast;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Numbers what this host tells others one by one, for each of them. Not thread-safe. */
final class Postmarks {

    private final long origin;
    private final Map<UUID, Long> numbers = new HashMap<>();

    /**
     * Begins.
     *
     * @param origin what this host calls itself
     */
    Postmarks(long origin) {
        this.origin = origin;
    }

    PeerNews.Sender next(UUID host, long nanos) {
        return new PeerNews.Sender(origin, new Postmark(numbers.merge(host, 1L, Long::sum), nanos));
    }

    /** Forgets all others. */
    void keep(Collection<UUID> hosts) {
        numbers.keySet().retainAll(hosts);
    }
}
