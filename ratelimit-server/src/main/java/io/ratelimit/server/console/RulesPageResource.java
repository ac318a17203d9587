package io.ratelimit.server.console;

import io.ratelimit.rules.RuleSet;
import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.publish.KnownRules;
import io.ratelimit.server.rules.RuleSets;
import io.ratelimit.server.rules.RulesVersion;
import io.ratelimit.server.rules.ServiceName;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;

/** The rules in force of one service, in words. */
@Path("services/{service}")
@Produces(MediaType.TEXT_HTML)
public final class RulesPageResource {

    private final RuleSets ruleSets;
    private final KnownRules known;
    private final Assets assets;
    private final RuleWords words = new RuleWords();
    private final SettingsWords settings = new SettingsWords();

    /**
     * Makes the resource.
     *
     * @param ruleSets where rules are
     * @param known the rules of versions
     * @param assets where styles and scripts are
     */
    public RulesPageResource(RuleSets ruleSets, KnownRules known, Assets assets) {
        this.ruleSets = ruleSets;
        this.known = known;
        this.assets = assets;
    }

    /** Some of the rules, and what holds for all of them. */
    @GET
    public Response get(
            @PathParam("service") ServiceName service,
            @QueryParam("filter") @DefaultValue("") String filter,
            @QueryParam("from") @DefaultValue("0") int from,
            @QueryParam("published") @DefaultValue("0") long published,
            @Context ContainerRequestContext request)
            throws DeniedException {
        Visit visit = Visit.of(request, assets, service, Permission.VIEW);
        Optional<RulesVersion> version = ruleSets.currentVersion(service);
        return version.isEmpty()
                ? noRules(visit)
                : Response.ok(page(visit, version.get(), filter.strip(), from, published))
                        .build();
    }

    private RulesPage page(Visit visit, RulesVersion version, String filter, int from, long published) {
        Optional<RuleSet> rules = known.of(version);
        List<RuleInWords> found = rules.map(RuleSet::rules).orElse(List.of()).stream()
                .map(words::of)
                .filter(rule -> rule.mentions(filter))
                .toList();
        int first = Math.max(0, Math.min(from, found.size()));
        return new RulesPage(
                visit.shell(),
                version,
                rules.isPresent(),
                published == version.number(),
                rules.map(settings::of).orElse(List.of()),
                found.subList(first, Math.min(first + RulesPage.SIZE, found.size())),
                filter,
                found.size(),
                first);
    }

    private Response noRules(Visit visit) {
        boolean hadRules = !ruleSets.history(visit.service(), Long.MAX_VALUE, 1).isEmpty();
        return Response.status(Response.Status.NOT_FOUND)
                .entity(new NoRulesPage(visit.shell(), visit.service(), hadRules))
                .build();
    }
}
