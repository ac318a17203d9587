package io.ratelimit.server.console;

import io.ratelimit.server.rules.ServiceName;

/**
 * The page of a service that has no rules in force.
 *
 * @param shell what stands around the page
 * @param service the service
 * @param hadRules whether there were some that were taken out
 */
record NoRulesPage(Shell shell, ServiceName service, boolean hadRules) implements Page {

    @Override
    public String template() {
        return "no-rules.jte";
    }
}
