package io.ratelimit.jaxrs;

import io.ratelimit.core.http.HeaderField;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Response;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JAX-RS alone: no address, the whole path of the URI, and fields that wait for the response. */
final class PlainExchange implements Exchange {

    /** The request property under which the response filter finds the fields. */
    static final String FIELDS = "io.ratelimit.fields";

    @Override
    public @Nullable String peerAddress() {
        return null;
    }

    @Override
    public String path(ContainerRequestContext request) {
        return MatchedPath.of(request.getUriInfo(), "");
    }

    @Override
    public @Nullable Object applicationAttribute(String name) {
        return null;
    }

    @Override
    public void remove(Collection<String> names) {}

    @Override
    public void addVary(Response.ResponseBuilder answer, String value) {
        answer.header("Vary", value);
    }

    @Override
    public void set(ContainerRequestContext request, List<HeaderField> fields) {
        request.setProperty(FIELDS, fields);
    }
}
