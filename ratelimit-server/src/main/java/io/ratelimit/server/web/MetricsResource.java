package io.ratelimit.server.web;

import io.ratelimit.server.access.Caller;
import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.meters.ProcessMeters;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.SecurityContext;

/** The meters, for whoever may see all services. */
@Path("metrics")
public final class MetricsResource {

    private final ServiceMeters meters;

    MetricsResource(ServiceMeters meters) {
        this.meters = meters;
    }

    /** All meters in Prometheus' text format. */
    @GET
    @Produces(ProcessMeters.FORMAT)
    public String get(@Context SecurityContext security) throws DeniedException {
        ((Caller) security.getUserPrincipal()).requireEverywhere(Permission.VIEW);
        return meters.scrape();
    }
}
