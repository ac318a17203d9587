package io.ratelimit.server.api;

import io.ratelimit.server.access.Caller;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.rules.RuleSets;
import io.ratelimit.server.rules.RulesVersion;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import java.util.List;

/** The services that the caller may see. */
@Path("v1/services")
public final class ServicesResource {

    private final RuleSets ruleSets;

    /**
     * Makes the resource.
     *
     * @param ruleSets where rules are
     */
    public ServicesResource(RuleSets ruleSets) {
        this.ruleSets = ruleSets;
    }

    /** What is in force for each. */
    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public List<RulesVersion> list(@Context SecurityContext security) {
        Caller caller = BearerAuthentication.caller(security);
        return ruleSets.services().stream()
                .filter(version -> caller.may(Permission.VIEW, version.service()))
                .toList();
    }
}
