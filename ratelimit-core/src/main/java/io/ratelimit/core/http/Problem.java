package io.ratelimit.core.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.ratelimit.LimitStatus;
import io.ratelimit.RefusedRequest;
import java.io.IOException;
import java.util.List;

/**
 * Problem details of a refusal (RFC 9457).
 *
 * @param type a URI that names the kind of problem
 * @param title what kind of problem it is, the same for each occurrence and in each language
 * @param status the HTTP status
 * @param detail what happened here and what to do
 * @param violatedPolicies the limits that refused, by their names in {@code RateLimit-Policy}; empty where none was
 *     asked
 */
record Problem(String type, String title, int status, String detail, List<String> violatedPolicies) {

    static Problem of(RefusedRequest refused) {
        if (refused.decision().decidingLimit() == null) {
            return new Problem("about:blank", "Service Unavailable", refused.status(), refused.message(), List.of());
        }
        List<String> violated = refused.decision().limits().stream()
                .filter(limit -> !limit.admits())
                .map(LimitStatus::policy)
                .toList();
        return quotaExceeded(refused.status(), refused.message(), violated);
    }

    /** The problem type that draft-ietf-httpapi-ratelimit-headers-11 registers, with its title. */
    private static Problem quotaExceeded(int status, String detail, List<String> violated) {
        return new Problem(
                "https://iana.org/assignments/http-problem-types#quota-exceeded",
                "Request cannot be satisfied as assigned quota has been exceeded",
                status,
                detail,
                violated);
    }

    String toJson() {
        return JsonText.of(this::write);
    }

    private void write(JsonGenerator json) throws IOException {
        json.writeStringField("type", type);
        json.writeStringField("title", title);
        json.writeNumberField("status", status);
        json.writeStringField("detail", detail);
        writeViolatedPolicies(json);
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
