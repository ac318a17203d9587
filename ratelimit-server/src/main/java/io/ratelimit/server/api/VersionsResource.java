package io.ratelimit.server.api;

import io.ratelimit.server.access.Caller;
import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.publish.InvalidRulesException;
import io.ratelimit.server.publish.Publisher;
import io.ratelimit.server.rules.LostUpdateException;
import io.ratelimit.server.rules.PublishedRules;
import io.ratelimit.server.rules.RuleSets;
import io.ratelimit.server.rules.RulesVersion;
import io.ratelimit.server.rules.ServiceName;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.util.List;

/** The history of a service's rules. */
@Path("v1/services/{service}/versions")
public final class VersionsResource {

    private static final int MOST = 100;

    private final RuleSets ruleSets;
    private final Publisher publisher;

    /**
     * Makes the resource.
     *
     * @param ruleSets where rules are
     * @param publisher publishes them
     */
    public VersionsResource(RuleSets ruleSets, Publisher publisher) {
        this.ruleSets = ruleSets;
        this.publisher = publisher;
    }

    /** The versions, newest first, at most 100 at once. */
    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public List<RulesVersion> list(
            @PathParam("service") ServiceName service,
            @QueryParam("before") @DefaultValue("9223372036854775807") long before,
            @Context SecurityContext security)
            throws DeniedException {
        BearerAuthentication.caller(security).require(Permission.VIEW, service);
        return ruleSets.history(service, before, MOST);
    }

    /** What is known of one version. */
    @GET
    @Path("{number}")
    @Produces(MediaType.APPLICATION_JSON)
    public RulesVersion get(
            @PathParam("service") ServiceName service,
            @PathParam("number") long number,
            @Context SecurityContext security)
            throws DeniedException {
        BearerAuthentication.caller(security).require(Permission.VIEW, service);
        return version(service, number).version();
    }

    /** The rules of one version. */
    @GET
    @Path("{number}/rules")
    public Response rules(
            @PathParam("service") ServiceName service,
            @PathParam("number") long number,
            @Context SecurityContext security)
            throws DeniedException {
        BearerAuthentication.caller(security).require(Permission.VIEW, service);
        return RulesResource.document(version(service, number)).build();
    }

    /** Publishes the rules of an earlier version again. */
    @POST
    @Path("{number}/restore")
    public Response restore(
            @PathParam("service") ServiceName service,
            @PathParam("number") long number,
            @QueryParam("comment") @DefaultValue("") String comment,
            @Context HttpHeaders headers,
            @Context SecurityContext security)
            throws DeniedException, InvalidRulesException, LostUpdateException {
        Caller caller = BearerAuthentication.caller(security);
        caller.require(Permission.PUBLISH, service);
        return Published.as(publisher.restore(version(service, number), comment, Preconditions.of(headers), caller));
    }

    private PublishedRules version(ServiceName service, long number) {
        return ruleSets.version(service, number).orElseThrow(() -> Missing.version(service, number));
    }
}
