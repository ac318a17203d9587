package io.ratelimit.server.web;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MultivaluedMap;

/** What browsers must know of every answer. */
final class SecurityHeaders implements ContainerResponseFilter {

    /** Nothing but what the service itself serves, no script and no style inside a page. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private final boolean isSecure;

    SecurityHeaders(boolean isSecure) {
        this.isSecure = isSecure;
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        MultivaluedMap<String, Object> headers = response.getHeaders();
        headers.putSingle("Content-Security-Policy", POLICY);
        headers.putSingle("X-Content-Type-Options", "nosniff");
        headers.putSingle("X-Frame-Options", "DENY");
        headers.putSingle("Referrer-Policy", "same-origin");
        if (!headers.containsKey(HttpHeaders.CACHE_CONTROL)) {
            headers.putSingle(HttpHeaders.CACHE_CONTROL, "no-store");
        }
        if (isSecure) {
            headers.putSingle("Strict-Transport-Security", "max-age=31536000");
        }
    }
}
