package io.ratelimit.core.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import io.ratelimit.LimitStatus;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Problem details of a refusal (RFC 9457).
 *
 * @param type a URI that names the kind of problem
 * @param title what kind of problem it is, the same for each occurrence
 * @param status the HTTP status
 * @param detail what happened here and what to do
 * @param violatedPolicies the limits that refused, by their names in {@code RateLimit-Policy}; empty where none was
 *     asked
 */
record Problem(String type, String title, int status, String detail, List<String> violatedPolicies) {

    /** Without the default pool, which would stay behind in each of the container's threads when the application goes. */
    static final JsonFactory JSON = JsonFactory.builder()
            .recyclerPool(JsonRecyclerPools.nonRecyclingPool())
            .build();

    /** The problem type that draft-ietf-httpapi-ratelimit-headers-11 registers, with its title. */
    static Problem quotaExceeded(int status, LimitStatus deciding, List<String> violated) {
        return new Problem(
                "https://iana.org/assignments/http-problem-types#quota-exceeded",
                "Request cannot be satisfied as assigned quota has been exceeded",
                status,
                detail(deciding),
                violated);
    }

    static Problem unavailable(int status) {
        return new Problem(
                "about:blank",
                "Service Unavailable",
                status,
                "The limits for this request cannot be checked at the moment.",
                List.of());
    }

    private static String detail(LimitStatus deciding) {
        long wait = Waits.untilAdmitted(deciding.state());
        String limit = "Limit '" + deciding.policy() + "' (" + deciding.limit() + ")";
        if (wait == Waits.NONE) {
            return limit + " does not admit this request, however long it waits.";
        }
        return limit + " is exceeded; try again in " + wait + (wait == 1 ? " second." : " seconds.");
    }

    byte[] toText() {
        return (detail + "\n").getBytes(StandardCharsets.UTF_8);
    }

    byte[] toJson() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("type", type);
            json.writeStringField("title", title);
            json.writeNumberField("status", status);
            json.writeStringField("detail", detail);
            writeViolatedPolicies(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void writeViolatedPolicies(JsonGenerator json) throws IOException {
        if (violatedPolicies.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("violated-policies");
        for (String policy : violatedPolicies) {
            json.writeString(policy);
        }
        json.writeEndArray();
    }
}
