package io.ratelimit.server.api;

import io.ratelimit.server.rules.RuleSets;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Map;

/** For whoever watches over the process. Asked without a token, so that it tells no more than that. */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
public final class HealthResource {

    private final RuleSets ruleSets;

    /**
     * Makes the resource.
     *
     * @param ruleSets asked whether the database answers
     */
    public HealthResource(RuleSets ruleSets) {
        this.ruleSets = ruleSets;
    }

    /** The process is alive: restarting it would not help. */
    @GET
    @Path("health")
    public Map<String, String> health() {
        return Map.of("status", "UP");
    }

    /** The process can do its work: its database answers; 503 with the reason where not. */
    @GET
    @Path("ready")
    public Map<String, String> ready() {
        ruleSets.ping();
        return Map.of("status", "READY");
    }
}
