package io.ratelimit.server.api;

import io.ratelimit.server.access.Caller;
import io.ratelimit.server.access.Tokens;
import io.ratelimit.server.listen.BearerToken;
import jakarta.annotation.Priority;
import jakarta.ws.rs.NotAuthorizedException;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.SecurityContext;
import java.util.Optional;

/** Lets nobody into the API without a token. Cookies count for nothing here, so that no other site can use them. */
@Priority(Priorities.AUTHENTICATION)
public final class BearerAuthentication implements ContainerRequestFilter {

    private static final String API = "v1/";
    private static final String METRICS = "metrics";

    private final Tokens tokens;

    /**
     * Makes the filter.
     *
     * @param tokens the tokens that were given out
     */
    public BearerAuthentication(Tokens tokens) {
        this.tokens = tokens;
    }

    @Override
    public void filter(ContainerRequestContext request) {
        String path = request.getUriInfo().getPath();
        if (!path.startsWith(API) && !path.equals(METRICS)) {
            return;
        }
        Optional<Caller> caller = Optional.ofNullable(
                        BearerToken.in(request.getHeaderString(HttpHeaders.AUTHORIZATION)))
                .flatMap(tokens::find)
                .map(Caller::new);
        if (caller.isEmpty()) {
            request.abortWith(Problems.unauthorized());
        } else {
            request.setSecurityContext(new Known(caller.get(), request.getSecurityContext()));
        }
    }

    /** The caller of a request that has got in. */
    static Caller caller(SecurityContext security) {
        if (security.getUserPrincipal() instanceof Caller caller) {
            return caller;
        }
        // Nobody is let in by a way to a resource that the filter has not seen.
        throw new NotAuthorizedException(Problems.unauthorized());
    }

    private record Known(Caller caller, SecurityContext connection) implements SecurityContext {

        @Override
        public Caller getUserPrincipal() {
            return caller;
        }

        @Override
        public boolean isUserInRole(String role) {
            return caller.token().grant().role().word().equals(role);
        }

        @Override
        public boolean isSecure() {
            return connection.isSecure();
        }

        @Override
        public String getAuthenticationScheme() {
            return "BEARER";
        }
    }
}
