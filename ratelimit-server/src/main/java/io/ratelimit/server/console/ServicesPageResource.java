package io.ratelimit.server.console;

import io.ratelimit.server.access.Caller;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.access.Session;
import io.ratelimit.server.rules.RuleSets;
import io.ratelimit.server.rules.RulesVersion;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.List;

/** The console's first page. */
@Path("/")
@Produces(MediaType.TEXT_HTML)
public final class ServicesPageResource {

    private final RuleSets ruleSets;
    private final Assets assets;

    /**
     * Makes the resource.
     *
     * @param ruleSets where rules are
     * @param assets where styles and scripts are
     */
    public ServicesPageResource(RuleSets ruleSets, Assets assets) {
        this.ruleSets = ruleSets;
        this.assets = assets;
    }

    /** The services that the caller may see. */
    @GET
    public Object get(@Context ContainerRequestContext request) {
        Session session = SessionAuthentication.session(request);
        Caller caller = new Caller(session.token());
        List<RulesVersion> inForce = ruleSets.services();
        return new ServicesPage(
                new Shell(assets, session, null),
                inForce.stream()
                        .filter(version -> caller.may(Permission.VIEW, version.service()))
                        .toList(),
                !StartableServices.of(session.token().grant(), inForce).areNone());
    }
}
