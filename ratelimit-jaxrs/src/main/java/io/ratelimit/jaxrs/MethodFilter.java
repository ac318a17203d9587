package io.ratelimit.jaxrs;

import io.ratelimit.core.http.HeaderField;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;

/** Stands in front of one resource method. Called once for a request, whatever becomes of it behind. */
final class MethodFilter implements ContainerRequestFilter, ContainerResponseFilter {

    private final ResourceLimiter limiter;
    private final MethodPolicy policy;

    MethodFilter(ResourceLimiter limiter, MethodPolicy policy) {
        this.limiter = limiter;
        this.policy = policy;
    }

    @Override
    public void filter(ContainerRequestContext request) {
        limiter.limit(request, policy);
    }

    /** Without a servlet response there is no earlier place for the fields. */
    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        limiter.settle(request, response.getStatus());
        if (request.getProperty(PlainExchange.FIELDS) instanceof Iterable<?> fields) {
            for (Object item : fields) {
                if (item instanceof HeaderField field) {
                    response.getHeaders().putSingle(field.name(), field.value());
                }
            }
        }
    }
}
