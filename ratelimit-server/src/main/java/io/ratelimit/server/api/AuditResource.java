package io.ratelimit.server.api;

import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.audit.AuditEntry;
import io.ratelimit.server.audit.AuditLog;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who did what, for admins. */
@Path("v1/audit")
public final class AuditResource {

    private static final int MOST = 200;

    private final AuditLog audit;

    /**
     * Makes the resource.
     *
     * @param audit the log
     */
    public AuditResource(AuditLog audit) {
        this.audit = audit;
    }

    /** The entries, newest first, at most 200 at once. */
    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public List<AuditEntry> list(
            @QueryParam("service") @Nullable String service,
            @QueryParam("before") @DefaultValue("9223372036854775807") long before,
            @Context SecurityContext security)
            throws DeniedException {
        BearerAuthentication.caller(security).requireEverywhere(Permission.ADMINISTER);
        return audit.entries(service, before, MOST);
    }
}
