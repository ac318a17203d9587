package io.ratelimit.jaxrs;

import io.ratelimit.core.http.HeaderField;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Response;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What JAX-RS does not tell of the exchange under way, and where its answer's header fields are set early. */
interface Exchange {

    /** The peer's address as a literal, or null where it is not known. */
    @Nullable
    String peerAddress();

    /** The path below the context path by which JAX-RS found the resource method, decoded. */
    String path(ContainerRequestContext request);

    /** An attribute of the application, or null. */
    @Nullable
    Object applicationAttribute(String name);

    /** Removes fields of the answer that something in front of JAX-RS has set. */
    void remove(Collection<String> names);

    /** Adds a value of {@code Vary} to an answer that is given in place of the resource's. */
    void addVary(Response.ResponseBuilder answer, String value);

    /** Sets fields of the answer, in place of those of the same names. */
    void set(ContainerRequestContext request, List<HeaderField> fields);
}
