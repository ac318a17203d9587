package io.ratelimit.core.broadcast;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Numbers what this host tells others one by one, for each of them. Not thread-safe. */
final class Postmarks {

    private final long origin;
    private final Map<UUID, Postmark> last = new HashMap<>();

    /**
     * Begins.
     *
     * @param origin what this host calls itself
     */
    Postmarks(long origin) {
        this.origin = origin;
    }

    PeerNews.Sender next(UUID host, long nanos) {
        Postmark mark = Postmark.after(last.get(host), nanos);
        last.put(host, mark);
        return new PeerNews.Sender(origin, mark);
    }

    /** Forgets all others. */
    void keep(Collection<UUID> hosts) {
        last.keySet().retainAll(hosts);
    }
}
