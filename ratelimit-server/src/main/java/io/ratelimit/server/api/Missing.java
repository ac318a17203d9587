package io.ratelimit.server.api;

import io.ratelimit.server.rules.ServiceName;
import jakarta.ws.rs.NotFoundException;

/** What is not there. */
final class Missing {

    private Missing() {}

    static NotFoundException rules(ServiceName service) {
        return new NotFoundException(Problem.of(
                        404,
                        "no-rules",
                        "no rules are in force for '" + service
                                + "': publish some, or look at how the service's name is spelt")
                .toResponse());
    }

    static NotFoundException version(ServiceName service, long number) {
        return new NotFoundException(Problem.of(404, "no-version", "'" + service + "' has no version " + number)
                .toResponse());
    }
}
