package io.ratelimit.server.api;

import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.rules.RuleSets;
import io.ratelimit.server.rules.ServiceName;
import io.ratelimit.server.traffic.HostReportReader;
import io.ratelimit.server.traffic.Traffic;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Semaphore;

/** What hosts tell of themselves and of their requests. */
@Path("v1/services/{service}/reports")
public final class ReportsResource {

    private final RuleSets ruleSets;
    private final Traffic traffic;
    private final HostReportReader reader = new HostReportReader();

    /** A report takes many times its size while it is read: of those that have arrived, few are read at once. */
    private final Semaphore reading = new Semaphore(Runtime.getRuntime().availableProcessors());

    /**
     * Makes the resource.
     *
     * @param ruleSets where rules are
     * @param traffic takes the reports
     */
    public ReportsResource(RuleSets ruleSets, Traffic traffic) {
        this.ruleSets = ruleSets;
        this.traffic = traffic;
    }

    /** Takes the report of one host. */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Response take(@PathParam("service") ServiceName service, @Context SecurityContext security, InputStream body)
            throws DeniedException, IOException {
        BearerAuthentication.caller(security).require(Permission.REPORT, service);
        if (ruleSets.currentVersion(service).isEmpty()) {
            // Nothing is kept under names that anybody may make up.
            throw Missing.rules(service);
        }
        byte[] json = body.readNBytes(HostReportReader.MOST_BYTES + 1);
        reading.acquireUninterruptibly();
        try {
            traffic.of(service.text()).take(reader.read(new ByteArrayInputStream(json)));
        } finally {
            reading.release();
        }
        return Response.noContent().build();
    }
}
