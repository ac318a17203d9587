package io.ratelimit.server.console;

import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.publish.KnownRules;
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
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The versions of a service, and going back to one. */
@Path("services/{service}")
@Produces(MediaType.TEXT_HTML)
public final class HistoryResource {

    private static final int PAGE = 20;

    /** For how long large rules are compared; what is left then is told on the next look, or on the version's page. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private final RuleSets ruleSets;
    private final Proposals proposals;
    private final ChangeSummaries changes;
    private final Assets assets;

    /**
     * Makes the resource.
     *
     * @param ruleSets where rules are
     * @param known the rules of versions
     * @param proposals the way to a publication
     * @param assets where styles and scripts are
     */
    public HistoryResource(RuleSets ruleSets, KnownRules known, Proposals proposals, Assets assets) {
        this.ruleSets = ruleSets;
        this.proposals = proposals;
        this.changes = new ChangeSummaries(known);
        this.assets = assets;
    }

    /** The versions, newest first. */
    @GET
    @Path("history")
    public Object history(
            @PathParam("service") ServiceName service,
            @QueryParam("before") @DefaultValue("9223372036854775807") long before,
            @Context ContainerRequestContext request)
            throws DeniedException {
        Visit visit = Visit.of(request, assets, service, Permission.VIEW);
        List<RulesVersion> versions = ruleSets.history(service, before, PAGE + 1);
        if (versions.isEmpty() && ruleSets.history(service, Long.MAX_VALUE, 1).isEmpty()) {
            throw ErrorPages.noRules(visit);
        }
        return new HistoryPage(visit.shell(), service, entries(versions), versions.size() > PAGE);
    }

    private List<HistoryPage.Entry> entries(List<RulesVersion> versions) {
        long start = System.nanoTime();
        List<HistoryPage.Entry> entries = new ArrayList<>();
        for (int i = 0; i < Math.min(versions.size(), PAGE); i++) {
            RulesVersion version = versions.get(i);
            boolean hasTime = System.nanoTime() - start < PATIENCE_NANOS;
            entries.add(new HistoryPage.Entry(
                    version,
                    i + 1 == versions.size() ? first(version) : change(versions.get(i + 1), version, hasTime)));
        }
        return entries;
    }

    private @Nullable String change(RulesVersion before, RulesVersion after, boolean hasTime) {
        return hasTime
                ? changes.between(before, after)
                : changes.ifKnown(before, after).orElse(null);
    }

    private static String first(RulesVersion version) {
        return version.number() == 1 ? "The first rules." : "";
    }

    /** One version, beside the one before and the one in force. */
    @GET
    @Path("versions/{number}")
    public Object version(
            @PathParam("service") ServiceName service,
            @PathParam("number") long number,
            @Context ContainerRequestContext request)
            throws DeniedException {
        Visit visit = Visit.of(request, assets, service, Permission.VIEW);
        PublishedRules rules = version(visit, number);
        Optional<PublishedRules> current = ruleSets.current(service);
        Optional<PublishedRules> before =
                ruleSets.history(service, number, 1).stream().findFirst().flatMap(this::withText);
        return new VersionPage(
                visit.shell(),
                rules,
                current.map(PublishedRules::version).orElse(null),
                current.filter(inForce -> inForce.version().number() != number)
                        .map(inForce -> DiffView.between("What has changed since then", rules.text(), inForce.text()))
                        .orElse(null),
                DiffView.between(
                        "What this version changed",
                        before.map(PublishedRules::text).orElse(""),
                        rules.text()),
                before.isEmpty());
    }

    /** What it would change to publish an earlier version again. */
    @POST
    @Path("versions/{number}/restore")
    public Response restore(
            @PathParam("service") ServiceName service,
            @PathParam("number") long number,
            @Context ContainerRequestContext request)
            throws DeniedException {
        Visit visit = Visit.of(request, assets, service, Permission.PUBLISH);
        PublishedRules earlier = version(visit, number);
        String tag = Proposal.tagOf(ruleSets.currentVersion(service));
        return proposals.review(visit, new Proposal(earlier.text(), tag, number, ""), null);
    }

    private PublishedRules version(Visit visit, long number) {
        return ruleSets.version(visit.service(), number).orElseThrow(() -> ErrorPages.noVersion(visit, number));
    }

    private Optional<PublishedRules> withText(RulesVersion version) {
        return ruleSets.version(version.service(), version.number());
    }
}
