package io.ratelimit.server.console;

import io.ratelimit.core.explain.Explanation;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.publish.InvalidRulesException;
import io.ratelimit.server.publish.KnownRules;
import io.ratelimit.server.publish.Publisher;
import io.ratelimit.server.rules.PublishedRules;
import io.ratelimit.server.rules.RuleSets;
import io.ratelimit.server.rules.ServiceName;
import io.ratelimit.server.trial.RulesTrial;
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
import jakarta.ws.rs.core.UriInfo;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Type a request, and see what becomes of it. */
@Path("services/{service}/explain")
@Produces(MediaType.TEXT_HTML)
public final class ExplainPageResource {

    private static final int UNPROCESSABLE = 422;

    private final RuleSets ruleSets;
    private final KnownRules known;
    private final Publisher publisher;
    private final RulesTrial trial;
    private final Assets assets;

    /**
     * Makes the resource.
     *
     * @param ruleSets where rules are
     * @param known the rules of versions
     * @param publisher says whether a draft is valid
     * @param trial explains
     * @param assets where styles and scripts are
     */
    public ExplainPageResource(
            RuleSets ruleSets, KnownRules known, Publisher publisher, RulesTrial trial, Assets assets) {
        this.ruleSets = ruleSets;
        this.known = known;
        this.publisher = publisher;
        this.trial = trial;
        this.assets = assets;
    }

    /** Under the rules in force; the request is in the address, so that it can be shared. */
    @GET
    public Response inForce(
            @PathParam("service") ServiceName service,
            @Context UriInfo address,
            @Context ContainerRequestContext request)
            throws DeniedException {
        return page(request, service, address.getQueryParameters(), null);
    }

    /** Under a draft, which is too long for an address. */
    @POST
    public Response draft(
            @PathParam("service") ServiceName service, Form form, @Context ContainerRequestContext request)
            throws DeniedException {
        MultivaluedMap<String, String> fields = form.asMap();
        return page(request, service, fields, Proposal.of(fields));
    }

    private Response page(
            ContainerRequestContext request,
            ServiceName service,
            MultivaluedMap<String, String> fields,
            @Nullable Proposal draft)
            throws DeniedException {
        Visit visit = Visit.of(request, assets, service, Permission.VIEW);
        PublishedRules inForce = ruleSets.current(service).orElseThrow(() -> ErrorPages.noRules(visit));
        ExplainForm form = ExplainForm.of(fields);
        boolean isAsked = fields.containsKey("path");
        Map<String, String> errors = isAsked ? form.errors() : Map.of();
        try {
            RuleSet rules = draft == null ? known.require(inForce) : publisher.valid(service, draft.text());
            String text = draft == null ? inForce.text() : draft.text();
            ExplanationInWords explanation =
                    isAsked && errors.isEmpty() ? new ExplanationInWords(explain(text, form), rules) : null;
            return Response.status(errors.isEmpty() ? 200 : UNPROCESSABLE)
                    .entity(new ExplainPage(visit, draft, form, errors, List.of(), explanation))
                    .build();
        } catch (InvalidRulesException e) {
            return Response.status(UNPROCESSABLE)
                    .entity(new ExplainPage(visit, draft, form, errors, e.findings(), null))
                    .build();
        }
    }

    private Explanation explain(String rules, ExplainForm form) {
        byte[] content = rules.getBytes(StandardCharsets.UTF_8);
        return trial.explain(new RulesDocument("rules", content, "trial", 1), form.request(), form.repetition());
    }
}
