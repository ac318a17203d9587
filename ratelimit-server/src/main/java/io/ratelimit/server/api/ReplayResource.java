package io.ratelimit.server.api;

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
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;

/** What a draft would have done to the requests of the last minutes. */
@Path("v1/services/{service}/replay")
public final class ReplayResource {

    private final RuleSets ruleSets;
    private final KnownRules known;
    private final Publisher publisher;
    private final Traffic traffic;

    /**
     * Makes the resource.
     *
     * @param ruleSets where rules are
     * @param known the rules of versions
     * @param publisher says whether a draft is valid
     * @param traffic has recorded requests
     */
    public ReplayResource(RuleSets ruleSets, KnownRules known, Publisher publisher, Traffic traffic) {
        this.ruleSets = ruleSets;
        this.known = known;
        this.publisher = publisher;
        this.traffic = traffic;
    }

    /** Decides recorded requests again, by the draft that is sent and by the rules in force. */
    @POST
    @Produces(MediaType.APPLICATION_JSON)
    public ReplayResult replay(
            @PathParam("service") ServiceName service, @Context SecurityContext security, byte[] draft)
            throws DeniedException, InvalidRulesException {
        BearerAuthentication.caller(security).require(Permission.VIEW, service);
        PublishedRules inForce = ruleSets.current(service).orElseThrow(() -> Missing.rules(service));
        RuleSet tried = publisher.valid(service, SentText.of(draft));
        return new Replay(tried, known.require(inForce), inForce.version().published(), TimeSource.system())
                .run(traffic.of(service.text()).recording().requests());
    }
}
