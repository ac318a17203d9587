package io.ratelimit.server.console;

import io.ratelimit.server.access.Caller;
import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.access.Session;
import io.ratelimit.server.rules.ServiceName;
import jakarta.ws.rs.container.ContainerRequestContext;

/**
 * Somebody who may do what he asks for, at a page of a service.
 *
 * @param shell what stands around the page
 * @param caller who asks
 * @param service the service
 */
record Visit(Shell shell, Caller caller, ServiceName service) {

    /**
     * Lets somebody in.
     *
     * @throws DeniedException if he may not
     */
    static Visit of(ContainerRequestContext request, Assets assets, ServiceName service, Permission permission)
            throws DeniedException {
        Session session = SessionAuthentication.session(request);
        Caller caller = new Caller(session.token());
        caller.require(permission, service);
        return new Visit(new Shell(assets, session, service), caller, service);
    }

    /** The path of the service's page. */
    String path() {
        return "/services/" + service;
    }
}
