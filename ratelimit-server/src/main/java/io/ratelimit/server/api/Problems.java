package io.ratelimit.server.api;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import io.ratelimit.rules.RulesException;
import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.database.DatabaseUnavailableException;
import io.ratelimit.server.document.RuleEditException;
import io.ratelimit.server.publish.InvalidRulesException;
import io.ratelimit.server.publish.UnreadableVersionException;
import io.ratelimit.server.rules.LostUpdateException;
import io.ratelimit.server.rules.RulesVersion;
import jakarta.ws.rs.NotSupportedException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.glassfish.jersey.server.ParamException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers each failure of a resource with a problem. Thread-safe. */
public final class Problems implements ExceptionMapper<Throwable> {

    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

    /** In seconds: a database that was restarted is back about then. */
    private static final int RETRY_AFTER = 5;

    /** Makes the answers. */
    public Problems() {}

    /** Of a failure of our own, which is logged, the answer tells nothing. */
    @Override
    public Response toResponse(Throwable failure) {
        if (failure instanceof InvalidRulesException invalid) {
            return invalid(invalid).toResponse();
        }
        if (failure instanceof RulesException invalid) {
            return invalid(invalid).toResponse();
        }
        if (failure instanceof RuleEditException edit) {
            return edit(edit).toResponse();
        }
        if (failure instanceof LostUpdateException lost) {
            return lost(lost);
        }
        if (failure instanceof UnreadableVersionException) {
            return Problem.of(409, "unreadable-rules", text(failure)).toResponse();
        }
        if (failure instanceof DeniedException) {
            return Problem.of(403, "denied", text(failure)).toResponse();
        }
        if (failure instanceof DatabaseUnavailableException) {
            return away();
        }
        if (failure instanceof ParamException.QueryParamException parameter) {
            return Problem.of(
                            400,
                            "bad-request",
                            "the query parameter '" + parameter.getParameterName() + "' has a value of the wrong kind")
                    .toResponse();
        }
        if (failure instanceof WebApplicationException http) {
            return http(http);
        }
        if (failure instanceof JsonProcessingException json) {
            return malformed(json).toResponse();
        }
        if (failure instanceof IllegalArgumentException) {
            return Problem.of(400, "bad-request", text(failure)).toResponse();
        }
        LOG.error("A request failed", failure);
        return Problem.of(500, "internal-error", "the service failed; its log says why")
                .toResponse();
    }

    static Response unauthorized() {
        return Problem.of(
                        401,
                        "not-authenticated",
                        "send a valid token as Authorization: Bearer rlt_…; an admin can give one out")
                .builder()
                .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"ratelimit\"")
                .build();
    }

    /** Jackson's own words name classes of ours where the JSON is well-formed and means something else. */
    private static Problem malformed(JsonProcessingException json) {
        String why;
        if (json instanceof UnrecognizedPropertyException unknown) {
            why = "there is no field '" + unknown.getPropertyName() + "'; fields are " + unknown.getKnownPropertyIds();
        } else if (json instanceof JsonMappingException mapping) {
            String field = mapping.getPath().stream()
                    .map(JsonMappingException.Reference::getFieldName)
                    .filter(Objects::nonNull)
                    .collect(Collectors.joining("."));
            why = field.isEmpty() ? "it must be an object" : "the field '" + field + "' has a value of the wrong kind";
        } else {
            why = json.getOriginalMessage();
        }
        return Problem.of(400, "bad-json", "the body is not the JSON that is wanted: " + why + place(json));
    }

    private static String place(JsonProcessingException json) {
        JsonLocation place = json.getLocation();
        return place == null ? "" : " (line " + place.getLineNr() + ", column " + place.getColumnNr() + ")";
    }

    private static Problem invalid(InvalidRulesException invalid) {
        return Problem.of(422, "invalid-rules", text(invalid))
                .with(Map.of(
                        "errors",
                        invalid.findings().stream().map(FindingView::of).toList()));
    }

    /** A single rule that cannot be read, or whose document would not be valid with it. */
    private static Problem invalid(RulesException invalid) {
        return Problem.of(422, "invalid-rules", "nothing was published: " + text(invalid))
                .with(Map.of(
                        "errors",
                        invalid.problems().stream().map(FindingView::of).toList()));
    }

    private static Problem edit(RuleEditException edit) {
        return switch (edit.reason()) {
            case NO_SUCH_RULE -> Problem.of(404, "no-rule", text(edit));
            case NAME_TAKEN -> Problem.of(409, "name-taken", text(edit));
            case USED_ELSEWHERE, LAYOUT -> Problem.of(409, "not-editable-alone", text(edit));
        };
    }

    private static Response lost(LostUpdateException lost) {
        RulesVersion current = lost.current();
        Problem problem = Problem.of(412, "lost-update", text(lost));
        return current == null
                ? problem.toResponse()
                : problem.with(Map.of("current", current))
                        .builder()
                        .header(HttpHeaders.ETAG, '"' + current.tag() + '"')
                        .build();
    }

    private static Response away() {
        return Problem.of(
                        503,
                        "database-unavailable",
                        "the database does not answer: nothing was changed as far as is known. Hosts go on with the rules"
                                + " that they have")
                .builder()
                .header(HttpHeaders.RETRY_AFTER, RETRY_AFTER)
                .build();
    }

    /** Those of JAX-RS itself: no such resource, no such method. */
    private static Response http(WebApplicationException http) {
        Response response = http.getResponse();
        if (response.hasEntity() || response.getStatus() < 400) {
            return response;
        }
        String reason = response.getStatusInfo().getReasonPhrase();
        Response.ResponseBuilder problem = Problem.of(
                        response.getStatus(),
                        reason.toLowerCase(Locale.ROOT).replace(' ', '-'),
                        http instanceof NotSupportedException ? "send Content-Type: application/json" : reason)
                .builder();
        response.getHeaders().forEach((name, values) -> {
            if (!name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE)
                    && !name.equalsIgnoreCase(HttpHeaders.CONTENT_LENGTH)) {
                values.forEach(value -> problem.header(name, value));
            }
        });
        return problem.build();
    }

    private static String text(Throwable failure) {
        return String.valueOf(failure.getMessage());
    }
}
