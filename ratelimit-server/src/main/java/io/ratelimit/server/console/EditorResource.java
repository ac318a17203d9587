package io.ratelimit.server.console;

import com.google.common.io.Resources;
import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.access.Permission;
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
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Editing the whole document: typing, checking, reviewing, publishing. */
@Path("services/{service}")
@Produces(MediaType.TEXT_HTML)
public final class EditorResource {

    private final RuleSets ruleSets;
    private final Proposals proposals;
    private final Assets assets;
    private final String startingRules;

    /**
     * Makes the resource.
     *
     * @param ruleSets where rules are
     * @param proposals the way to a publication
     * @param assets where styles and scripts are
     */
    public EditorResource(RuleSets ruleSets, Proposals proposals, Assets assets) {
        this.ruleSets = ruleSets;
        this.proposals = proposals;
        this.assets = assets;
        try {
            this.startingRules =
                    Resources.toString(Resources.getResource("starting-rules.yaml"), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The rules in force, or ones to begin with. */
    @GET
    @Path("edit")
    public Object edit(@PathParam("service") ServiceName service, @Context ContainerRequestContext request)
            throws DeniedException {
        Visit visit = visit(request, service);
        Optional<PublishedRules> current = ruleSets.current(service);
        String text =
                current.map(PublishedRules::text).orElseGet(() -> startingRules.replace("SERVICE", service.text()));
        String tag = Proposal.tagOf(current.map(PublishedRules::version));
        return proposals.editor(visit, new Proposal(text, tag, null, ""));
    }

    /** A text that was begun before. */
    @POST
    @Path("edit")
    public Object editOn(@PathParam("service") ServiceName service, Form form, @Context ContainerRequestContext request)
            throws DeniedException {
        Visit visit = visit(request, service);
        return proposals.editor(visit, proposals.posted(service, form.asMap()));
    }

    /** What there is to say about a text, for the page that it is typed on. */
    @POST
    @Path("check")
    public Object check(
            @PathParam("service") ServiceName service,
            @FormParam("text") @DefaultValue("") String text,
            @Context ContainerRequestContext request)
            throws DeniedException {
        visit(request, service);
        return proposals.check(service, text);
    }

    /** What a text would change. */
    @POST
    @Path("review")
    public Response review(
            @PathParam("service") ServiceName service, Form form, @Context ContainerRequestContext request)
            throws DeniedException {
        Visit visit = visit(request, service);
        return proposals.review(visit, proposals.posted(service, form.asMap()), null);
    }

    /** Publishes a text that was reviewed. */
    @POST
    @Path("publish")
    public Response publish(
            @PathParam("service") ServiceName service, Form form, @Context ContainerRequestContext request)
            throws DeniedException {
        Visit visit = visit(request, service);
        return proposals.publish(visit, proposals.posted(service, form.asMap()));
    }

    private Visit visit(ContainerRequestContext request, ServiceName service) throws DeniedException {
        return Visit.of(request, assets, service, Permission.PUBLISH);
    }
}
