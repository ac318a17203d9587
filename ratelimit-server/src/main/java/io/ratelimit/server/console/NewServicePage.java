package io.ratelimit.server.console;

import org.jspecify.annotations.Nullable;

/**
 * Where a new service is named.
 *
 * @param shell what stands around the page
 * @param startable which services it may be
 * @param name what was typed
 * @param error what is wrong with it, or null
 */
record NewServicePage(
        Shell shell,
        StartableServices startable,
        String name,
        @Nullable String error) implements Page {

    @Override
    public String template() {
        return "new-service.jte";
    }
}
