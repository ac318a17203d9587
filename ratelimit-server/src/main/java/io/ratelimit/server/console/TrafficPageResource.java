package io.ratelimit.server.console;

import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.rules.RuleSets;
import io.ratelimit.server.rules.RulesVersion;
import io.ratelimit.server.rules.ServiceName;
import io.ratelimit.server.traffic.Activity;
import io.ratelimit.server.traffic.ActivitySeries;
import io.ratelimit.server.traffic.Resolution;
import io.ratelimit.server.traffic.Traffic;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Watch a service: its hosts, what passes, what is refused. Parts of the page are loaded again and again. */
@Path("services/{service}")
@Produces(MediaType.TEXT_HTML)
public final class TrafficPageResource {

    private static final int MOST_RULES_TO_CHOOSE = 500;
    private static final int MOST_CLIENTS = 20;
    private static final List<Duration> MINUTES =
            List.of(Duration.ofMinutes(1), Duration.ofMinutes(5), Duration.ofMinutes(15));
    private static final List<Duration> HOURS = List.of(Duration.ofHours(1), Duration.ofHours(3), Duration.ofHours(6));

    private final RuleSets ruleSets;
    private final Traffic traffic;
    private final Assets assets;

    /**
     * Makes the resource.
     *
     * @param ruleSets where rules are
     * @param traffic has the reports of hosts
     * @param assets where styles and scripts are
     */
    public TrafficPageResource(RuleSets ruleSets, Traffic traffic, Assets assets) {
        this.ruleSets = ruleSets;
        this.traffic = traffic;
        this.assets = assets;
    }

    /** The page. */
    @GET
    @Path("traffic")
    public Object page(
            @PathParam("service") ServiceName service,
            @QueryParam("rule") @DefaultValue("") String rule,
            @Context ContainerRequestContext request)
            throws DeniedException {
        Visit visit = visit(request, service);
        return new TrafficPage(visit, rule, view(visit, rule));
    }

    /** The page's numbers. */
    @GET
    @Path("traffic/numbers")
    public Object numbers(
            @PathParam("service") ServiceName service,
            @QueryParam("rule") @DefaultValue("") String rule,
            @Context ContainerRequestContext request)
            throws DeniedException {
        return new TrafficPart(view(visit(request, service), rule));
    }

    /** What the page's charts draw. */
    @GET
    @Path("traffic.json")
    @Produces(MediaType.APPLICATION_JSON)
    public Object chart(
            @PathParam("service") ServiceName service,
            @QueryParam("rule") @DefaultValue("") String rule,
            @QueryParam("resolution") @DefaultValue("fine") String resolution,
            @QueryParam("since") @DefaultValue("0") long since,
            @Context ContainerRequestContext request)
            throws DeniedException {
        inForce(visit(request, service));
        Resolution asked = resolution.equals("coarse") ? Resolution.COARSE : Resolution.FINE;
        return ChartData.of(series(service, rule, asked, since));
    }

    /** Which hosts have the rules in force, as a part of any page of the service. */
    @GET
    @Path("rollout")
    public Object rollout(@PathParam("service") ServiceName service, @Context ContainerRequestContext request)
            throws DeniedException {
        return rollout(visit(request, service));
    }

    private TrafficView view(Visit visit, String rule) {
        ServiceName service = visit.service();
        RolloutPart rollout = rollout(visit);
        return new TrafficView(
                rules(service, rule),
                rollout,
                Totals.of(series(service, rule, Resolution.FINE, 0), MINUTES),
                Totals.of(series(service, rule, Resolution.COARSE, 0), HOURS),
                mostRefused(activity(service), rule));
    }

    private List<String> rules(ServiceName service, String chosen) {
        return Stream.concat(
                        Stream.of(chosen).filter(rule -> !rule.isEmpty()),
                        activity(service).busiest(MOST_RULES_TO_CHOOSE).stream())
                .distinct()
                .sorted()
                .toList();
    }

    private ActivitySeries series(ServiceName service, String rule, Resolution resolution, long since) {
        Activity activity = activity(service);
        return rule.isEmpty() ? activity.total(resolution, since) : activity.series(resolution, since, List.of(rule));
    }

    private static List<TrafficView.RefusedClient> mostRefused(Activity activity, String chosen) {
        List<String> rules = chosen.isEmpty() ? activity.busiest(Activity.MOST_RULES) : List.of(chosen);
        return rules.stream()
                .flatMap(rule -> activity.mostRefused(rule, MOST_CLIENTS).stream()
                        .map(most -> new TrafficView.RefusedClient(rule, most)))
                .sorted(Comparator.comparing((TrafficView.RefusedClient client) ->
                                client.most().refused())
                        .reversed())
                .limit(MOST_CLIENTS)
                .toList();
    }

    private RolloutPart rollout(Visit visit) {
        RulesVersion version = inForce(visit);
        return new RolloutPart(
                version, traffic.of(visit.service().text()).fleet().rollout('"' + version.tag() + '"'));
    }

    /** Asked first: nothing is kept under names that anybody may make up. */
    private RulesVersion inForce(Visit visit) {
        return ruleSets.currentVersion(visit.service()).orElseThrow(() -> ErrorPages.noRules(visit));
    }

    private Activity activity(ServiceName service) {
        return traffic.of(service.text()).activity();
    }

    private Visit visit(ContainerRequestContext request, ServiceName service) throws DeniedException {
        return Visit.of(request, assets, service, Permission.VIEW);
    }
}
