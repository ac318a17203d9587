package io.ratelimit.server.console;

import io.ratelimit.server.access.Grant;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.rules.RulesVersion;
import io.ratelimit.server.rules.ServiceName;
import java.util.List;

/**
 * The services without rules that somebody may publish the first for.
 *
 * @param isAny whether it may be any service
 * @param names which ones, where it may not be any
 */
record StartableServices(boolean isAny, List<ServiceName> names) {

    static StartableServices of(Grant grant, List<RulesVersion> inForce) {
        List<ServiceName> taken = inForce.stream().map(RulesVersion::service).toList();
        return new StartableServices(
                grant.mayEverywhere(Permission.PUBLISH),
                grant.services().stream()
                        .filter(service -> grant.may(Permission.PUBLISH, service) && !taken.contains(service))
                        .sorted()
                        .toList());
    }

    boolean areNone() {
        return !isAny && names.isEmpty();
    }
}
