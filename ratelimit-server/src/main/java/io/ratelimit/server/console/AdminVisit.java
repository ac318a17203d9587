package io.ratelimit.server.console;

import io.ratelimit.server.access.Caller;
import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.access.Session;
import jakarta.ws.rs.container.ContainerRequestContext;

/**
 * An admin at a page that is for admins.
 *
 * @param shell what stands around the page
 * @param caller who asks
 */
record AdminVisit(Shell shell, Caller caller) {

    /**
     * Lets an admin in.
     *
     * @throws DeniedException if it is none
     */
    static AdminVisit of(ContainerRequestContext request, Assets assets) throws DeniedException {
        Session session = SessionAuthentication.session(request);
        Caller caller = new Caller(session.token());
        caller.requireEverywhere(Permission.ADMINISTER);
        return new AdminVisit(new Shell(assets, session, null), caller);
    }
}
