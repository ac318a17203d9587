package io.ratelimit.server.api;

import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.document.RulesDiff;
import io.ratelimit.server.rules.PublishedRules;
import io.ratelimit.server.rules.RuleSets;
import io.ratelimit.server.rules.ServiceName;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.SecurityContext;

/** How two versions differ. */
@Path("v1/services/{service}/diff")
public final class DiffResource {

    private final RuleSets ruleSets;

    /**
     * Makes the resource.
     *
     * @param ruleSets where rules are
     */
    public DiffResource(RuleSets ruleSets) {
        this.ruleSets = ruleSets;
    }

    /** The unified diff of two versions; empty where they are the same. */
    @GET
    @Produces("text/plain; charset=utf-8")
    public String get(
            @PathParam("service") ServiceName service,
            @QueryParam("from") long from,
            @QueryParam("to") long to,
            @Context SecurityContext security)
            throws DeniedException {
        BearerAuthentication.caller(security).require(Permission.VIEW, service);
        PublishedRules before = version(service, from);
        PublishedRules after = version(service, to);
        return RulesDiff.between(before.text(), after.text()).unified("version " + from, "version " + to);
    }

    private PublishedRules version(ServiceName service, long number) {
        return ruleSets.version(service, number).orElseThrow(() -> Missing.version(service, number));
    }
}
