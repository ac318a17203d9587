package io.ratelimit.server.daemon;

import com.fasterxml.jackson.core.JsonGenerator;
import io.ratelimit.Decision;
import io.ratelimit.LimitState;
import io.ratelimit.LimitStatus;
import io.ratelimit.core.http.HeaderField;
import io.ratelimit.core.http.HttpAnswers;
import io.ratelimit.rules.Limit;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes decisions as JSON. Thread-safe. */
final class DecisionJson {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final HttpAnswers answers;

    DecisionJson(HttpAnswers answers) {
        this.answers = answers;
    }

    void write(JsonGenerator json, Decision decision, @Nullable String receipt) throws IOException {
        json.writeStartObject();
        json.writeBooleanField("allowed", decision.allowed());
        json.writeStringField("reason", decision.reason().name());
        LimitStatus deciding = decision.decidingLimit();
        if (!decision.allowed()) {
            json.writeNumberField("status", answers.statusOf(decision));
            writeWait(
                    json, deciding == null ? LimitState.NEVER : deciding.state().waitNanos());
        }
        json.writeObjectFieldStart("headers");
        for (HeaderField field : answers.fields(decision)) {
            json.writeStringField(field.name(), field.value());
        }
        json.writeEndObject();
        List<LimitStatus> limits = decision.limits();
        writeLimits(json, "limits", limits);
        if (deciding == null) {
            json.writeNullField("deciding");
        } else {
            json.writeNumberField("deciding", limits.indexOf(deciding));
        }
        writeLimits(json, "shadowRefusals", decision.shadowRefusals());
        json.writeBooleanField("mustBeSettled", decision.mustBeSettled());
        if (receipt != null) {
            json.writeStringField("receipt", receipt);
        }
        json.writeEndObject();
    }

    private static void writeLimits(JsonGenerator json, String name, List<LimitStatus> limits) throws IOException {
        json.writeArrayFieldStart(name);
        for (LimitStatus status : limits) {
            Limit limit = status.limit();
            json.writeStartObject();
            json.writeStringField("rule", status.rule().name());
            json.writeStringField("policy", status.policy());
            json.writeNumberField("tokens", limit.tokens());
            json.writeStringField("period", limit.period().toString());
            json.writeNumberField("capacity", limit.capacity());
            json.writeStringField("algorithm", limit.algorithm().word());
            json.writeNumberField("remaining", status.remaining());
            writeWait(json, status.state().waitNanos());
            json.writeNumberField("nextTokenMillis", millisUp(status.state().nextTokenNanos()));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeWait(JsonGenerator json, long nanos) throws IOException {
        if (nanos == LimitState.NEVER) {
            json.writeNullField("retryAfterMillis");
        } else {
            json.writeNumberField("retryAfterMillis", millisUp(nanos));
        }
    }

    private static long millisUp(long nanos) {
        return nanos / NANOS_PER_MILLI + (nanos % NANOS_PER_MILLI == 0 ? 0 : 1);
    }
}
