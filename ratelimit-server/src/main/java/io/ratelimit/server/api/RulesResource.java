package io.ratelimit.server.api;

import com.google.common.hash.HashCode;
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
import io.ratelimit.server.traffic.Traffic;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Date;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rules of one service as a whole: what hosts retrieve and authors publish. */
@Path("v1/services/{service}/rules")
public final class RulesResource {

    private static final Logger LOG = LoggerFactory.getLogger(RulesResource.class);
    private static final String HOST = "RateLimit-Host";
    private static final String IN_FORCE = "RateLimit-In-Force";
    private static final MediaType YAML = new MediaType("application", "yaml");

    private final RuleSets ruleSets;
    private final Publisher publisher;
    private final Traffic traffic;

    /**
     * Makes the resource.
     *
     * @param ruleSets where rules are
     * @param publisher publishes them
     * @param traffic hears which hosts ask
     */
    public RulesResource(RuleSets ruleSets, Publisher publisher, Traffic traffic) {
        this.ruleSets = ruleSets;
        this.publisher = publisher;
        this.traffic = traffic;
    }

    /** The rules in force, with all that a host needs to follow them. */
    @GET
    public Response get(
            @PathParam("service") ServiceName service,
            @Context Request request,
            @Context HttpHeaders headers,
            @Context SecurityContext security)
            throws DeniedException {
        Caller caller = BearerAuthentication.caller(security);
        caller.require(Permission.FOLLOW, service);
        RulesVersion version = ruleSets.currentVersion(service).orElseThrow(() -> Missing.rules(service));
        String host = headers.getHeaderString(HOST);
        if (host != null && caller.may(Permission.REPORT, service)) {
            heard(service, host, headers.getHeaderString(IN_FORCE));
        }
        Response.ResponseBuilder notModified = request.evaluatePreconditions(new EntityTag(version.tag()));
        if (notModified != null) {
            return described(notModified, version).build();
        }
        // Published meanwhile, perhaps: what is sent is described, not what was seen before.
        PublishedRules rules = ruleSets.current(service).orElseThrow(() -> Missing.rules(service));
        return document(rules).build();
    }

    /** A host that tells odd things of itself still gets its rules. */
    private void heard(ServiceName service, String host, @Nullable String tag) {
        try {
            traffic.of(service.text()).fleet().polled(host, tag);
        } catch (IllegalArgumentException e) {
            LOG.debug("A host of {} cannot be listed: {}", service, e.getMessage());
        }
    }

    /** Publishes rules in place of those in force. */
    @PUT
    public Response put(
            @PathParam("service") ServiceName service,
            @QueryParam("comment") @DefaultValue("") String comment,
            @Context HttpHeaders headers,
            @Context SecurityContext security,
            byte[] document)
            throws DeniedException, InvalidRulesException, LostUpdateException {
        Caller caller = BearerAuthentication.caller(security);
        caller.require(Permission.PUBLISH, service);
        String text = SentText.of(document);
        RulesVersion version = publisher.publish(service, text, comment, Preconditions.of(headers), caller);
        return Published.as(version);
    }

    /** Takes a service out. */
    @DELETE
    public Response delete(
            @PathParam("service") ServiceName service, @Context HttpHeaders headers, @Context SecurityContext security)
            throws DeniedException, LostUpdateException {
        Caller caller = BearerAuthentication.caller(security);
        caller.require(Permission.ADMINISTER, service);
        ruleSets.retire(service, Preconditions.of(headers), caller.getName());
        traffic.forget(service.text());
        return Response.noContent().build();
    }

    static Response.ResponseBuilder document(PublishedRules rules) {
        byte[] content = rules.text().getBytes(StandardCharsets.UTF_8);
        boolean json = rules.text().stripLeading().startsWith("{");
        byte[] digest = HashCode.fromString(rules.version().hash()).asBytes();
        return described(Response.ok(content, json ? MediaType.APPLICATION_JSON_TYPE : YAML), rules.version())
                .header("Repr-Digest", "sha-256=:" + Base64.getEncoder().encodeToString(digest) + ":");
    }

    private static Response.ResponseBuilder described(Response.ResponseBuilder response, RulesVersion version) {
        String service = "/v1/services/" + version.service();
        return response.tag(version.tag())
                .lastModified(Date.from(version.published()))
                .header(
                        "RateLimit-Rules",
                        version.number() + ";published=" + version.published().toEpochMilli())
                .header("Link", "<" + service + "/events>; rel=\"events\", <" + service + "/reports>; rel=\"reports\"");
    }
}
