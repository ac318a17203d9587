package io.ratelimit.server.web;

import io.ratelimit.server.access.Caller;
import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.access.Permission;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.SecurityContext;

/** The meters, for whoever may see all services. */
@Path("metrics")
public final class MetricsResource {

    private static final String FORMAT = "text/plain; version=0.0.4; charset=utf-8";

    private final ServiceMeters meters;

    MetricsResource(ServiceMeters meters) {
        this.meters = meters;
    }

    /** All meters in Prometheus' text format. */
    @GET
    @Produces(FORMAT)
    public String get(@Context SecurityContext security) throws DeniedException {
        ((Caller) security.getUserPrincipal()).requireEverywhere(Permission.VIEW);
        return meters.scrape();
    }
}
