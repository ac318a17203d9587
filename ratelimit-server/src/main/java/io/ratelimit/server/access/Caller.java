package io.ratelimit.server.access;

import io.ratelimit.server.rules.ServiceName;
import java.security.Principal;

/**
 * Who asks, as the token says.
 *
 * @param token the token that was shown
 */
public record Caller(AccessToken token) implements Principal {

    @Override
    public String getName() {
        return token.name();
    }

    /**
     * Whether the caller may do something.
     *
     * @param permission what
     * @param service to which service
     * @return true if the caller may
     */
    public boolean may(Permission permission, ServiceName service) {
        return token.grant().may(permission, service);
    }

    /**
     * Goes on only if the caller may do something.
     *
     * @param permission what
     * @param service to which service, which need not exist
     * @throws DeniedException if the caller may not
     */
    public void require(Permission permission, ServiceName service) throws DeniedException {
        if (!may(permission, service)) {
            throw new DeniedException(this, permission, "this service");
        }
    }

    /**
     * Goes on only if the caller may do something to all services.
     *
     * @param permission what
     * @throws DeniedException if the caller may not
     */
    public void requireEverywhere(Permission permission) throws DeniedException {
        if (!token.grant().mayEverywhere(permission)) {
            throw new DeniedException(this, permission, "all services");
        }
    }
}
