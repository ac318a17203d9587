package io.ratelimit.server.publish;

import io.ratelimit.server.rules.RulesVersion;
import io.ratelimit.server.rules.ServiceName;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Consumer;

/**
 * Tells of each publication those who listen. A publication may be told of more than once, and of several in a row the
 * last may be told of alone. Thread-safe.
 */
public final class Changes {

    private final Set<Consumer<RulesVersion>> listeners = new CopyOnWriteArraySet<>();
    private final Map<ServiceName, RulesVersion> last = new HashMap<>();

    /** Makes changes that nobody listens to yet. */
    public Changes() {}

    /**
     * Adds a listener.
     *
     * @param listener hears of publications, on the thread that tells; must be quick and not throw
     */
    public void listen(Consumer<RulesVersion> listener) {
        listeners.add(listener);
    }

    /**
     * Tells of what is in force, unless that was told or something newer was.
     *
     * @param version what is in force
     */
    public void tell(RulesVersion version) {
        if (isNews(version)) {
            listeners.forEach(listener -> listener.accept(version));
        }
    }

    private synchronized boolean isNews(RulesVersion version) {
        RulesVersion known = last.get(version.service());
        if (known != null && !version.published().isAfter(known.published())) {
            return false;
        }
        last.put(version.service(), version);
        return true;
    }
}
