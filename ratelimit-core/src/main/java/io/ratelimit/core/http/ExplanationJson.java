package io.ratelimit.core.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.ratelimit.core.explain.Explanation;
import io.ratelimit.core.explain.LimitExplanation;
import io.ratelimit.core.explain.RuleExplanation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** An explanation as JSON. */
record ExplanationJson(Explanation explanation) {

    private static final long NANOS_BELOW_A_MILLISECOND = 999_999;

    byte[] toJson() {
        return JsonText.of(this::write).getBytes(StandardCharsets.UTF_8);
    }

    private void write(JsonGenerator json) throws IOException {
        json.writeStringField("request", explanation.request());
        json.writeBooleanField("allowed", explanation.allowed());
        json.writeStringField("outcome", explanation.outcome());
        json.writeStringField("exempt", explanation.exempt());
        json.writeArrayFieldStart("rules");
        for (RuleExplanation rule : explanation.rules()) {
            write(json, rule);
        }
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, RuleExplanation rule) throws IOException {
        json.writeStartObject();
        json.writeStringField("rule", rule.rule());
        json.writeBooleanField("applies", rule.applies());
        json.writeBooleanField("lacksKey", rule.lacksKey());
        json.writeStringField("reason", rule.reason());
        json.writeArrayFieldStart("overrides");
        for (String override : rule.overrides()) {
            json.writeString(override);
        }
        json.writeEndArray();
        json.writeStringField("key", rule.key());
        json.writeStringField("cost", rule.cost());
        json.writeArrayFieldStart("limits");
        for (LimitExplanation limit : rule.limits()) {
            write(json, limit);
        }
        json.writeEndArray();
        json.writeStringField("note", rule.note());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, LimitExplanation limit) throws IOException {
        json.writeStartObject();
        json.writeStringField("policy", limit.policy());
        json.writeStringField("limit", limit.limit().toString());
        json.writeNumberField("remaining", limit.remaining());
        json.writeBooleanField("admits", limit.admits());
        Duration wait = limit.retryAfter();
        if (wait == null) {
            json.writeNullField("retryAfterMillis");
        } else {
            json.writeNumberField(
                    "retryAfterMillis",
                    wait.plusNanos(NANOS_BELOW_A_MILLISECOND).toMillis());
        }
        json.writeEndObject();
    }
}
