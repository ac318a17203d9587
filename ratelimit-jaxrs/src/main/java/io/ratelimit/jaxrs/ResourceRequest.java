package io.ratelimit.jaxrs;

import io.ratelimit.RequestContext;
import io.ratelimit.core.http.QueryString;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Cookie;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request as JAX-RS matched it, for one operation. What a filter in front knew of path, query and peer stays. */
final class ResourceRequest implements RequestContext {

    private final ContainerRequestContext request;
    private final Exchange exchange;
    private final @Nullable RequestContext filtered;
    private final @Nullable Operation operation;

    /**
     * Looks at a request.
     *
     * @param filtered the request as a filter in front saw it, or null
     * @param operation what the method does, or null where annotations do not say
     */
    ResourceRequest(
            ContainerRequestContext request,
            Exchange exchange,
            @Nullable RequestContext filtered,
            @Nullable Operation operation) {
        this.request = request;
        this.exchange = exchange;
        this.filtered = filtered;
        this.operation = operation;
    }

    /** The method that JAX-RS matched: a pre-matching filter may have changed it. */
    @Override
    public String method() {
        return request.getMethod();
    }

    /** The filter's path, which is the client's where the request was forwarded; not where JAX-RS reads it otherwise. */
    @Override
    public String path() {
        String matched = exchange.path(request);
        return filtered == null || MatchedPath.keepsDotSegments(matched) ? matched : filtered.path();
    }

    @Override
    public @Nullable String operation() {
        return operation == null ? null : operation.name();
    }

    @Override
    public long cost() {
        return operation == null ? NO_COST : operation.cost();
    }

    @Override
    public @Nullable String peerAddress() {
        return filtered == null ? exchange.peerAddress() : filtered.peerAddress();
    }

    /** The user may have been authenticated by JAX-RS, where no filter sees it. */
    @Override
    public @Nullable String user() {
        SecurityContext security = request.getSecurityContext();
        Principal principal = security == null ? null : security.getUserPrincipal();
        if (principal != null) {
            return principal.getName();
        }
        return filtered == null ? null : filtered.user();
    }

    @Override
    public List<String> headers(String name) {
        List<String> lines = request.getHeaders().get(name);
        return lines == null ? List.of() : lines;
    }

    /** A header that JAX-RS cannot parse holds no cookies. */
    @Override
    public @Nullable String cookie(String name) {
        try {
            Cookie cookie = request.getCookies().get(name);
            return cookie == null ? null : cookie.getValue();
        } catch (RuntimeException unreadable) {
            return null;
        }
    }

    /** The filter's query, which belongs to its path. */
    @Override
    public List<String> queryParameters(String name) {
        return filtered == null
                ? new QueryString(request.getUriInfo().getRequestUri().getRawQuery()).values(name)
                : filtered.queryParameters(name);
    }

    @Override
    public @Nullable Object attribute(String name) {
        Object property = request.getProperty(name);
        return property == null && filtered != null ? filtered.attribute(name) : property;
    }
}
