package io.ratelimit.server.console;

import io.ratelimit.server.access.Caller;
import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.access.Session;
import io.ratelimit.server.rules.RuleSets;
import io.ratelimit.server.rules.RulesVersion;
import io.ratelimit.server.rules.ServiceName;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The first step of a new service: its name. The editor comes next, with rules to begin with. */
@Path("new-service")
@Produces(MediaType.TEXT_HTML)
public final class NewServiceResource {

    private final RuleSets ruleSets;
    private final Assets assets;

    /**
     * Makes the resource.
     *
     * @param ruleSets where rules are
     * @param assets where styles and scripts are
     */
    public NewServiceResource(RuleSets ruleSets, Assets assets) {
        this.ruleSets = ruleSets;
        this.assets = assets;
    }

    /** Asks for the name. */
    @GET
    public Object get(@Context ContainerRequestContext request) throws DeniedException {
        return page(SessionAuthentication.session(request), ruleSets.services(), "", null);
    }

    /** Goes to the editor, if the name can be used. */
    @POST
    public Response post(@FormParam("name") @DefaultValue("") String typed, @Context ContainerRequestContext request)
            throws DeniedException {
        Session session = SessionAuthentication.session(request);
        List<RulesVersion> inForce = ruleSets.services();
        String error;
        try {
            ServiceName name = new ServiceName(typed.strip());
            if (inForce.stream().noneMatch(version -> version.service().equals(name))) {
                new Caller(session.token()).require(Permission.PUBLISH, name);
                return Response.seeOther(URI.create("/services/" + name + "/edit"))
                        .build();
            }
            error = "There are rules for " + name + " already. Choose another name, or change those rules.";
        } catch (IllegalArgumentException e) {
            error = "This name cannot be used: " + e.getMessage() + ".";
        }
        return Response.status(422).entity(page(session, inForce, typed, error)).build();
    }

    private NewServicePage page(Session session, List<RulesVersion> inForce, String name, @Nullable String error)
            throws DeniedException {
        StartableServices startable = StartableServices.of(session.token().grant(), inForce);
        if (startable.areNone()) {
            new Caller(session.token()).requireEverywhere(Permission.PUBLISH);
        }
        return new NewServicePage(new Shell(assets, session, null), startable, name, error);
    }
}
