package io.ratelimit.core.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.ratelimit.RefusedRequest;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/**
 * What a refusal says where errors come in an envelope.
 *
 * @param code what happened, for programs
 * @param message what happened and what to do, for people
 * @param renewal when the request would pass; empty where nobody knows
 */
record Envelope(String code, String message, Optional<Instant> renewal) {

    static Envelope of(RefusedRequest refused) {
        String code = refused.decision().decidingLimit() == null ? "LIMITS_UNAVAILABLE" : "RATE_LIMIT_EXCEEDED";
        return new Envelope(code, refused.message(), refused.renewal());
    }

    String toJson() {
        return JsonText.of(this::write);
    }

    /** The context is there even where it says nothing, so that a client may reach into it without a look. */
    private void write(JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("error");
        json.writeStringField("code", code);
        json.writeStringField("message", message);
        json.writeObjectFieldStart("context");
        if (renewal.isPresent()) {
            json.writeNumberField("renewal", renewal.get().toEpochMilli());
        }
        json.writeEndObject();
        json.writeEndObject();
    }
}
