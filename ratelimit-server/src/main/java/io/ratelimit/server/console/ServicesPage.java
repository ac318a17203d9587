package io.ratelimit.server.console;

import io.ratelimit.server.rules.RulesVersion;
import java.util.List;

/**
 * The services that somebody may see.
 *
 * @param shell what stands around the page
 * @param services what is in force for each
 */
record ServicesPage(Shell shell, List<RulesVersion> services) implements Page {

    @Override
    public String template() {
        return "services.jte";
    }
}
