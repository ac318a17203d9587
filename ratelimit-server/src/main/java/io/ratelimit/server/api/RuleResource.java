package io.ratelimit.server.api;

import io.ratelimit.rules.RulesException;
import io.ratelimit.server.access.Caller;
import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.document.RuleEditException;
import io.ratelimit.server.document.RuleTree;
import io.ratelimit.server.document.RulesEditor;
import io.ratelimit.server.publish.InvalidRulesException;
import io.ratelimit.server.publish.Publisher;
import io.ratelimit.server.rules.Expectation;
import io.ratelimit.server.rules.LostUpdateException;
import io.ratelimit.server.rules.PublishedRules;
import io.ratelimit.server.rules.RuleSets;
import io.ratelimit.server.rules.ServiceName;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.Variant;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Single rules. Each change publishes the whole document with that rule changed and all else as it was written; the tag is
 * the document's.
 */
@Path("v1/services/{service}/rules")
public final class RuleResource {

    private static final MediaType YAML = new MediaType("application", "yaml");
    private static final List<Variant> FORMS =
            Variant.mediaTypes(MediaType.APPLICATION_JSON_TYPE, YAML).build();

    private final RuleSets ruleSets;
    private final Publisher publisher;
    private final RulesEditor editor = new RulesEditor();

    /**
     * Makes the resource.
     *
     * @param ruleSets where rules are
     * @param publisher publishes them
     */
    public RuleResource(RuleSets ruleSets, Publisher publisher) {
        this.ruleSets = ruleSets;
        this.publisher = publisher;
    }

    /** One rule, in JSON or YAML. */
    @GET
    @Path("{rule}")
    public Response get(
            @PathParam("service") ServiceName service,
            @PathParam("rule") String rule,
            @Context Request request,
            @Context SecurityContext security)
            throws DeniedException, RulesException {
        BearerAuthentication.caller(security).require(Permission.VIEW, service);
        PublishedRules rules = current(service);
        RuleTree tree = RuleTree.find(rules.text(), rule)
                .orElseThrow(() ->
                        new NotFoundException(Problem.of(404, "no-rule", "'" + service + "' has no rule of this name")
                                .toResponse()));
        Variant form = request.selectVariant(FORMS);
        boolean yaml = form != null && YAML.isCompatible(form.getMediaType());
        Object entity = yaml ? tree.yaml().getBytes(StandardCharsets.UTF_8) : tree.json();
        return Response.ok(entity, yaml ? YAML : MediaType.APPLICATION_JSON_TYPE)
                .tag(rules.version().tag())
                .build();
    }

    /** Adds a rule behind the others. */
    @POST
    public Response create(
            @PathParam("service") ServiceName service,
            @QueryParam("comment") @DefaultValue("") String comment,
            @Context HttpHeaders headers,
            @Context SecurityContext security,
            byte[] rule)
            throws DeniedException, RulesException, RuleEditException, InvalidRulesException, LostUpdateException {
        return publish(service, comment, headers, security, text -> editor.create(text, SentText.of(rule)));
    }

    /** Puts a rule in the place of one. */
    @PUT
    @Path("{rule}")
    public Response replace(
            @PathParam("service") ServiceName service,
            @PathParam("rule") String name,
            @QueryParam("comment") @DefaultValue("") String comment,
            @Context HttpHeaders headers,
            @Context SecurityContext security,
            byte[] rule)
            throws DeniedException, RulesException, RuleEditException, InvalidRulesException, LostUpdateException {
        return publish(service, comment, headers, security, text -> editor.replace(text, name, SentText.of(rule)));
    }

    /** Removes a rule. */
    @DELETE
    @Path("{rule}")
    public Response remove(
            @PathParam("service") ServiceName service,
            @PathParam("rule") String name,
            @QueryParam("comment") @DefaultValue("") String comment,
            @Context HttpHeaders headers,
            @Context SecurityContext security)
            throws DeniedException, RulesException, RuleEditException, InvalidRulesException, LostUpdateException {
        return publish(service, comment, headers, security, text -> editor.remove(text, name));
    }

    private interface Edit {

        String of(String text) throws RulesException, RuleEditException;
    }

    /** What the caller has seen is compared twice: before the edit, which is of that text, and when it is stored. */
    private Response publish(
            ServiceName service, String comment, HttpHeaders headers, SecurityContext security, Edit edit)
            throws DeniedException, RulesException, RuleEditException, InvalidRulesException, LostUpdateException {
        Caller caller = BearerAuthentication.caller(security);
        caller.require(Permission.PUBLISH, service);
        Expectation seen = Preconditions.of(headers);
        PublishedRules rules = current(service);
        ruleSets.require(seen, rules.version());
        String edited = edit.of(rules.text());
        Expectation base = new Expectation.Tag(rules.version().tag());
        return Published.as(publisher.publish(service, edited, comment, base, caller));
    }

    private PublishedRules current(ServiceName service) {
        return ruleSets.current(service).orElseThrow(() -> Missing.rules(service));
    }
}
