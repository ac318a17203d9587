package io.ratelimit.server.api;

import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.rules.RuleSets;
import io.ratelimit.server.rules.RulesVersion;
import io.ratelimit.server.rules.ServiceName;
import io.ratelimit.server.traffic.Activity;
import io.ratelimit.server.traffic.ActivitySeries;
import io.ratelimit.server.traffic.MostRefused;
import io.ratelimit.server.traffic.Resolution;
import io.ratelimit.server.traffic.Rollout;
import io.ratelimit.server.traffic.Traffic;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import java.util.List;

/** What hosts have told lately: who they are, and what they have decided. */
@Path("v1/services/{service}")
@Produces(MediaType.APPLICATION_JSON)
public final class TrafficResource {

    private static final int MOST_RULES = 20;
    private static final int MOST_CLIENTS = 20;

    private final RuleSets ruleSets;
    private final Traffic traffic;

    /**
     * Makes the resource.
     *
     * @param ruleSets where rules are
     * @param traffic has the reports
     */
    public TrafficResource(RuleSets ruleSets, Traffic traffic) {
        this.ruleSets = ruleSets;
        this.traffic = traffic;
    }

    /** The hosts, and which of them have the rules in force. */
    @GET
    @Path("hosts")
    public Rollout hosts(@PathParam("service") ServiceName service, @Context SecurityContext security)
            throws DeniedException {
        BearerAuthentication.caller(security).require(Permission.VIEW, service);
        RulesVersion current = ruleSets.currentVersion(service).orElseThrow(() -> Missing.rules(service));
        return traffic.of(service.text()).fleet().rollout('"' + current.tag() + '"');
    }

    /** How many requests passed and were refused, by time and by the rules that decided most. */
    @GET
    @Path("activity")
    public ActivitySeries activity(
            @PathParam("service") ServiceName service,
            @QueryParam("resolution") @DefaultValue("fine") String resolution,
            @QueryParam("since") @DefaultValue("0") long since,
            @Context SecurityContext security)
            throws DeniedException {
        Activity activity = activity(service, security);
        return activity.series(resolution(resolution), since, activity.busiest(MOST_RULES));
    }

    /** The clients that a rule has refused most. */
    @GET
    @Path("activity/{rule}/clients")
    public List<MostRefused> clients(
            @PathParam("service") ServiceName service,
            @PathParam("rule") String rule,
            @Context SecurityContext security)
            throws DeniedException {
        return activity(service, security).mostRefused(rule, MOST_CLIENTS);
    }

    private Activity activity(ServiceName service, SecurityContext security) throws DeniedException {
        BearerAuthentication.caller(security).require(Permission.VIEW, service);
        if (ruleSets.currentVersion(service).isEmpty()) {
            throw Missing.rules(service);
        }
        return traffic.of(service.text()).activity();
    }

    private static Resolution resolution(String word) {
        return switch (word) {
            case "fine" -> Resolution.FINE;
            case "coarse" -> Resolution.COARSE;
            default -> throw new IllegalArgumentException("resolution must be fine (5 s) or coarse (1 min)");
        };
    }
}
