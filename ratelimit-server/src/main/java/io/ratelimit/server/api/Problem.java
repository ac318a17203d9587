package io.ratelimit.server.api;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Map;

/**
 * An answer that is no success (RFC 9457).
 *
 * @param type what kind of problem, as a URN
 * @param title the kind in a few words
 * @param status the HTTP status
 * @param detail what is wrong and what would be right
 * @param members what programs need to know beside that
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Problem(
        String type,
        String title,
        int status,
        String detail,
        @JsonAnyGetter Map<String, Object> members) {

    private static final MediaType JSON = new MediaType("application", "problem+json");

    static Problem of(int status, String kind, String detail) {
        return new Problem("urn:ratelimit:problem:" + kind, kind.replace('-', ' '), status, detail, Map.of());
    }

    Problem with(Map<String, Object> more) {
        return new Problem(type, title, status, detail, more);
    }

    Response toResponse() {
        return builder().build();
    }

    Response.ResponseBuilder builder() {
        return Response.status(status).type(JSON).entity(this);
    }
}
