package io.ratelimit.server.console;

import io.ratelimit.TimeSource;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.publish.InvalidRulesException;
import io.ratelimit.server.publish.KnownRules;
import io.ratelimit.server.publish.Publisher;
import io.ratelimit.server.rules.PublishedRules;
import io.ratelimit.server.rules.RuleSets;
import io.ratelimit.server.rules.ServiceName;
import io.ratelimit.server.traffic.Traffic;
import io.ratelimit.server.traffic.replay.Replay;
import io.ratelimit.server.traffic.replay.ReplayResult;
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
import java.util.List;

/** See what a draft would have done. */
@Path("services/{service}/replay")
@Produces(MediaType.TEXT_HTML)
public final class ReplayPageResource {

    private static final int UNPROCESSABLE = 422;

    private final RuleSets ruleSets;
    private final KnownRules known;
    private final Publisher publisher;
    private final Traffic traffic;
    private final Assets assets;

    /**
     * Makes the resource.
     *
     * @param ruleSets where rules are
     * @param known the rules of versions
     * @param publisher says whether a draft is valid
     * @param traffic has recorded requests
     * @param assets where styles and scripts are
     */
    public ReplayPageResource(
            RuleSets ruleSets, KnownRules known, Publisher publisher, Traffic traffic, Assets assets) {
        this.ruleSets = ruleSets;
        this.known = known;
        this.publisher = publisher;
        this.traffic = traffic;
        this.assets = assets;
    }

    /** The rules in force alone: what is to be compared with what hosts really did. */
    @GET
    public Object inForce(@PathParam("service") ServiceName service, @Context ContainerRequestContext request)
            throws DeniedException {
        Visit visit = Visit.of(request, assets, service, Permission.VIEW);
        PublishedRules inForce = inForce(visit);
        RuleSet rules = known.require(inForce);
        return new ReplayPage(visit, inForce.version(), null, List.of(), replay(service, rules, inForce));
    }

    /** A draft beside the rules in force. */
    @POST
    public Object draft(@PathParam("service") ServiceName service, Form form, @Context ContainerRequestContext request)
            throws DeniedException {
        Visit visit = Visit.of(request, assets, service, Permission.VIEW);
        PublishedRules inForce = inForce(visit);
        Proposal draft = Proposal.of(form.asMap());
        RuleSet tried;
        try {
            tried = publisher.valid(service, draft.text());
        } catch (InvalidRulesException e) {
            return Response.status(UNPROCESSABLE)
                    .entity(new ReplayPage(visit, inForce.version(), draft, e.findings(), null))
                    .build();
        }
        ReplayResult result = replay(service, tried, inForce);
        return new ReplayPage(visit, inForce.version(), draft, List.of(), result);
    }

    private PublishedRules inForce(Visit visit) {
        return ruleSets.current(visit.service()).orElseThrow(() -> ErrorPages.noRules(visit));
    }

    private ReplayResult replay(ServiceName service, RuleSet tried, PublishedRules inForce) {
        return new Replay(tried, known.require(inForce), inForce.version().published(), TimeSource.system())
                .run(traffic.of(service.text()).recording().requests());
    }
}
