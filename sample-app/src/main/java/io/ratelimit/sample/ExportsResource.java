package io.ratelimit.sample;

import io.ratelimit.annotation.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** Exports, whose limit stands in the code. A rule for the operation {@code export} would replace it. */
@Path("exports")
@Produces(MediaType.APPLICATION_JSON)
public final class ExportsResource {

    /** Made for each request. */
    public ExportsResource() {}

    /**
     * Exports the orders.
     *
     * @return always the same
     */
    @GET
    @RateLimited(operation = "export", limits = "3/m")
    public String export() {
        return "{\"exported\":2}";
    }
}
