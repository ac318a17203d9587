package io.ratelimit.server.console;

import io.ratelimit.server.rules.PublishedRules;
import io.ratelimit.server.rules.RulesVersion;
import org.jspecify.annotations.Nullable;

/**
 * One version of a service's rules.
 *
 * @param shell what stands around the page
 * @param rules the version
 * @param current what is in force, or null
 * @param sinceThen what differs in the version in force, or null where this is it or there is none
 * @param change what it differs in from the version before
 * @param isFirst whether there is no version before
 */
record VersionPage(
        Shell shell,
        PublishedRules rules,
        @Nullable RulesVersion current,
        @Nullable DiffView sinceThen,
        DiffView change,
        boolean isFirst)
        implements Page {

    RulesVersion version() {
        return rules.version();
    }

    boolean isInForce() {
        return current != null && current.number() == version().number();
    }

    @Override
    public String template() {
        return "version.jte";
    }
}
