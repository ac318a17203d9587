package io.ratelimit.server.console;

import io.ratelimit.server.rules.RulesVersion;
import java.util.List;

/**
 * The services that somebody may see.
 *
 * @param shell what stands around the page
 * @param services what is in force for each
 * @param mayStart whether he may publish the first rules of a service
 */
record ServicesPage(Shell shell, List<RulesVersion> services, boolean mayStart) implements Page {

    @Override
    public String template() {
        return "services.jte";
    }
}
