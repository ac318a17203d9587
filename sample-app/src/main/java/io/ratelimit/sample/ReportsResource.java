package io.ratelimit.sample;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** Reports, which are dear: the rules file charges five tokens for one. */
@Path("reports")
@Produces(MediaType.APPLICATION_JSON)
public final class ReportsResource {

    /** Made for each request. */
    public ReportsResource() {}

    /**
     * Makes a report.
     *
     * @return always the same
     */
    @GET
    public String report() {
        return "{\"orders\":2,\"items\":3}";
    }
}
