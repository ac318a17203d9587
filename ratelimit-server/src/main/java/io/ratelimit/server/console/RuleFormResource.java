package io.ratelimit.server.console;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.ratelimit.rules.RulesException;
import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.document.RuleEditException;
import io.ratelimit.server.document.RuleTree;
import io.ratelimit.server.document.RulesEditor;
import io.ratelimit.server.rules.PublishedRules;
import io.ratelimit.server.rules.RuleSets;
import io.ratelimit.server.rules.ServiceName;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Form;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Single rules in a form: made, changed, removed. Each leads to the review of what it makes of the document. */
@Path("services/{service}")
@Produces(MediaType.TEXT_HTML)
public final class RuleFormResource {

    private static final RuleTree NEW = RuleTree.of(JsonNodeFactory.instance.objectNode());

    private final RuleSets ruleSets;
    private final Proposals proposals;
    private final Assets assets;
    private final RulesEditor editor = new RulesEditor();
    private final RuleFields fields = new RuleFields();

    /**
     * Makes the resource.
     *
     * @param ruleSets where rules are
     * @param proposals the way to a publication
     * @param assets where styles and scripts are
     */
    public RuleFormResource(RuleSets ruleSets, Proposals proposals, Assets assets) {
        this.ruleSets = ruleSets;
        this.proposals = proposals;
        this.assets = assets;
    }

    /** An empty form. */
    @GET
    @Path("new-rule")
    public Object blank(@PathParam("service") ServiceName service, @Context ContainerRequestContext request)
            throws DeniedException {
        Visit visit = visit(request, service);
        return new RulePage(visit, inForce(visit).version().tag(), null, RuleForm.NEW, "", FormErrors.NONE);
    }

    /** What a rule says, in a form. */
    @GET
    @Path("rules/{rule}")
    public Object form(
            @PathParam("service") ServiceName service,
            @PathParam("rule") String name,
            @Context ContainerRequestContext request)
            throws DeniedException {
        Visit visit = visit(request, service);
        PublishedRules rules = inForce(visit);
        RuleTree tree = find(rules, name).orElseThrow(() -> ErrorPages.noRule(visit, name));
        return new RulePage(visit, rules.version().tag(), name, fields.form(tree), fields.rest(tree), FormErrors.NONE);
    }

    /** A new rule. */
    @POST
    @Path("new-rule")
    public Response create(
            @PathParam("service") ServiceName service, Form posted, @Context ContainerRequestContext request)
            throws DeniedException {
        Visit visit = visit(request, service);
        PublishedRules rules = inForce(visit);
        RuleForm typed = typed(posted.asMap());
        return edited(
                visit,
                rules,
                null,
                typed,
                () -> editor.create(rules.text(), fields.rule(typed, NEW).yaml()));
    }

    /** Another form of a rule. */
    @POST
    @Path("rules/{rule}")
    public Response change(
            @PathParam("service") ServiceName service,
            @PathParam("rule") String name,
            Form posted,
            @Context ContainerRequestContext request)
            throws DeniedException {
        Visit visit = visit(request, service);
        PublishedRules rules = seen(visit, field(posted.asMap(), "tag"), name);
        RuleTree before = find(rules, name).orElseThrow(() -> ErrorPages.noRule(visit, name));
        RuleForm typed = typed(posted.asMap());
        return edited(
                visit,
                rules,
                name,
                typed,
                () -> editor.replace(
                        rules.text(), name, fields.rule(typed, before).yaml()));
    }

    /** The document without a rule. */
    @POST
    @Path("rules/{rule}/remove")
    public Response remove(
            @PathParam("service") ServiceName service,
            @PathParam("rule") String name,
            @FormParam("tag") @DefaultValue("") String tag,
            @Context ContainerRequestContext request)
            throws DeniedException {
        Visit visit = visit(request, service);
        PublishedRules rules = seen(visit, tag, name);
        RuleTree before = find(rules, name).orElseThrow(() -> ErrorPages.noRule(visit, name));
        return edited(visit, rules, name, fields.form(before), () -> editor.remove(rules.text(), name));
    }

    /** What makes another document. */
    private interface Edit {

        String text() throws RulesException, RuleEditException;
    }

    private Response edited(Visit visit, PublishedRules rules, @Nullable String rule, RuleForm typed, Edit edit) {
        FormErrors lacking = FormErrors.of(typed);
        try {
            String text = edit.text();
            return lacking.isNone() ? review(visit, rules, text) : refused(visit, rules, rule, typed, lacking);
        } catch (RulesException e) {
            return refused(visit, rules, rule, typed, FormErrors.of(e).with(lacking));
        } catch (RuleEditException e) {
            return refused(visit, rules, rule, typed, errors(e).with(lacking));
        }
    }

    private Visit visit(ContainerRequestContext request, ServiceName service) throws DeniedException {
        return Visit.of(request, assets, service, Permission.PUBLISH);
    }

    private PublishedRules inForce(Visit visit) {
        return ruleSets.current(visit.service()).orElseThrow(() -> ErrorPages.noRules(visit));
    }

    /**
     * The rules that a form is for: those in force, where the rule in them is still the one that the form was made from;
     * else those that the form was made from, so that the review tells of the other change.
     */
    private PublishedRules seen(Visit visit, String tag, String name) {
        PublishedRules current = inForce(visit);
        if (current.version().tag().equals(tag)) {
            return current;
        }
        return proposals
                .base(visit.service(), tag)
                .filter(base -> !find(base, name).equals(find(current, name)))
                .orElse(current);
    }

    private Response review(Visit visit, PublishedRules rules, String text) {
        return proposals.review(visit, new Proposal(text, rules.version().tag(), null, ""), null);
    }

    private Response refused(
            Visit visit, PublishedRules rules, @Nullable String rule, RuleForm typed, FormErrors errors) {
        String rest = rule == null ? "" : find(rules, rule).map(fields::rest).orElse("");
        return Response.status(422)
                .entity(new RulePage(visit, rules.version().tag(), rule, typed, rest, errors))
                .build();
    }

    private static FormErrors errors(RuleEditException refused) {
        return FormErrors.of(
                refused.reason() == RuleEditException.Reason.NAME_TAKEN ? "name" : "",
                String.valueOf(refused.getMessage()));
    }

    private static Optional<RuleTree> find(PublishedRules rules, String name) {
        try {
            return RuleTree.find(rules.text(), name);
        } catch (RulesException e) {
            return Optional.empty();
        }
    }

    private static RuleForm typed(MultivaluedMap<String, String> posted) {
        return new RuleForm(
                field(posted, "name"),
                field(posted, "path"),
                field(posted, "methods"),
                field(posted, "operation"),
                field(posted, "key"),
                field(posted, "header"),
                field(posted, "limits"),
                field(posted, "exceeded"),
                field(posted, "status"),
                field(posted, "places"),
                field(posted, "maxWait"));
    }

    private static String field(MultivaluedMap<String, String> posted, String name) {
        String value = posted.getFirst(name);
        return value == null ? "" : value;
    }
}
