package io.ratelimit.jaxrs;

import io.ratelimit.core.http.HeaderField;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * JAX-RS in a servlet container. The only class that knows the Servlet API; it is loaded only where the API is there. Its
 * fields are proxies that lead to the exchange of the calling thread.
 */
final class ServletExchange implements Exchange {

    @Context
    private @Nullable HttpServletRequest request;

    @Context
    private @Nullable HttpServletResponse response;

    /**
     * Whether the application runs in a servlet container.
     *
     * @throws RuntimeException if it does not, and JAX-RS injects proxies nevertheless
     */
    boolean isServed() {
        return request != null && response != null && request.getServletContext() != null;
    }

    @Override
    public @Nullable String peerAddress() {
        return request == null ? null : request.getRemoteAddr();
    }

    /** In a forward this is the path of its target, while a servlet filter judges the one that the client asked for. */
    @Override
    public String path(ContainerRequestContext matched) {
        String contextPath = request == null ? null : request.getContextPath();
        return MatchedPath.of(matched.getUriInfo(), contextPath == null ? "" : contextPath);
    }

    @Override
    public @Nullable Object applicationAttribute(String name) {
        ServletContext application = request == null ? null : request.getServletContext();
        return application == null ? null : application.getAttribute(name);
    }

    /** A null removes a field since Servlet 6.1, and in Jetty before; other containers of Servlet 6.0 keep it. */
    @Override
    public void remove(Collection<String> names) {
        if (response != null) {
            for (String name : names) {
                response.setHeader(name, null);
            }
        }
    }

    /** Not through the answer of JAX-RS, whose fields replace those that a filter in front has set. */
    @Override
    public void addVary(Response.ResponseBuilder answer, String value) {
        if (response != null) {
            response.addHeader("Vary", value);
        }
    }

    @Override
    public void set(ContainerRequestContext ignored, List<HeaderField> fields) {
        if (response != null) {
            for (HeaderField field : fields) {
                response.setHeader(field.name(), field.value());
            }
        }
    }
}
