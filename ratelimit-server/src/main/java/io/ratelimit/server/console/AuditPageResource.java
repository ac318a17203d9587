package io.ratelimit.server.console;

import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.audit.AuditEntry;
import io.ratelimit.server.audit.AuditLog;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.List;

/** Who did what, for admins. */
@Path("audit")
@Produces(MediaType.TEXT_HTML)
public final class AuditPageResource {

    private static final int PAGE = 100;

    private final AuditLog audit;
    private final Assets assets;

    /**
     * Makes the resource.
     *
     * @param audit the log
     * @param assets where styles and scripts are
     */
    public AuditPageResource(AuditLog audit, Assets assets) {
        this.audit = audit;
        this.assets = assets;
    }

    /** A page of it, newest first. */
    @GET
    public Object get(
            @QueryParam("service") @DefaultValue("") String service,
            @QueryParam("before") @DefaultValue("9223372036854775807") long before,
            @Context ContainerRequestContext request)
            throws DeniedException {
        AdminVisit visit = AdminVisit.of(request, assets);
        String asked = service.strip();
        List<AuditEntry> entries = audit.entries(asked.isEmpty() ? null : asked, before, PAGE + 1);
        return new AuditPage(
                visit.shell(),
                asked,
                entries.stream().limit(PAGE).toList(),
                before == Long.MAX_VALUE,
                entries.size() > PAGE);
    }
}
