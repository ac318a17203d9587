package io.ratelimit.server.api;

import io.ratelimit.server.rules.RulesVersion;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/** The answer to a publication. */
final class Published {

    private Published() {}

    static Response as(RulesVersion version) {
        return Response.ok(version, MediaType.APPLICATION_JSON_TYPE)
                .tag(version.tag())
                .build();
    }
}
