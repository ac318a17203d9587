package io.ratelimit.server.console;

import io.ratelimit.server.rules.RulesVersion;
import io.ratelimit.server.rules.ServiceName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The versions of a service.
 *
 * @param shell what stands around the page
 * @param service the service
 * @param entries some of the versions, newest first
 * @param hasOlder whether there are older ones
 */
record HistoryPage(Shell shell, ServiceName service, List<Entry> entries, boolean hasOlder) implements Page {

    /**
     * One version.
     *
     * @param version the version
     * @param change what it changed, in a few words; null where that would take long to tell
     */
    record Entry(RulesVersion version, @Nullable String change) {}

    long oldest() {
        return entries.isEmpty() ? 0 : entries.get(entries.size() - 1).version().number();
    }

    @Override
    public String template() {
        return "history.jte";
    }
}
