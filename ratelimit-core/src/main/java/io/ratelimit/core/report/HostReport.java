package io.ratelimit.core.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import io.ratelimit.core.retrieve.RulesStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a host tells of itself and of its requests since its last report. Immutable.
 *
 * @param host the host's name and instance
 * @param tag what the service recognises the rules in force by, or null where there are none
 * @param status how things stand with the rules
 * @param fromMillis when the time begins that is told of, in milliseconds since the epoch
 * @param toMillis when it ends
 * @param rules what rules have decided, by name
 * @param refusedClients the clients that were refused most, by rule and name
 * @param recording requests of some clients
 */
record HostReport(
        String host,
        @Nullable String tag,
        RulesStatus status,
        long fromMillis,
        long toMillis,
        Map<String, RuleCounts> rules,
        Map<RefusedName, Long> refusedClients,
        Recording recording) {

    /** A service takes no longer ones. */
    private static final int LONGEST_TAG = 200;

    /**
     * Of ASCII alone, in which half a character that a request holds can be written too, and without the default pool, which
     * would stay behind in threads when the application goes.
     */
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .recyclerPool(JsonRecyclerPools.nonRecyclingPool())
            .build();

    /**
     * A refused client as the service is told of him.
     *
     * @param rule the rule's name
     * @param client such as {@code user=alice}
     */
    record RefusedName(String rule, String client) {}

    HostReport with(Recording other) {
        return new HostReport(host, tag, status, fromMillis, toMillis, rules, refusedClients, other);
    }

    byte[] toJson() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            writeHost(json);
            writeCounts(json);
            json.writeNumberField("share", recording.share());
            json.writeArrayFieldStart("requests");
            for (RecordedRequest request : recording.requests()) {
                request.writeTo(json);
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private void writeHost(JsonGenerator json) throws IOException {
        Instant since = status.since();
        json.writeStringField("host", host);
        json.writeStringField("tag", tag == null || tag.length() > LONGEST_TAG ? null : tag);
        json.writeStringField("origin", status.origin().name());
        json.writeFieldName("since");
        if (since == null) {
            json.writeNull();
        } else {
            json.writeNumber(since.toEpochMilli());
        }
        json.writeStringField("error", status.error() == null ? null : ReportedText.cut(status.error()));
        json.writeNumberField("from", fromMillis);
        json.writeNumberField("to", toMillis);
    }

    private void writeCounts(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("rules");
        for (Map.Entry<String, RuleCounts> rule : rules.entrySet()) {
            json.writeStartObject();
            json.writeStringField("rule", rule.getKey());
            json.writeNumberField("allowed", rule.getValue().allowed());
            json.writeNumberField("refused", rule.getValue().refused());
            json.writeNumberField("shadow", rule.getValue().shadow());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("refusedClients");
        for (Map.Entry<RefusedName, Long> refused : refusedClients.entrySet()) {
            json.writeStartObject();
            json.writeStringField("rule", refused.getKey().rule());
            json.writeStringField("client", ReportedText.cut(refused.getKey().client()));
            json.writeNumberField("refused", refused.getValue());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
