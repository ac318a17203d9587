package io.ratelimit.core.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.ratelimit.core.Health;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.retrieve.RulesStatus;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.store.BucketStore;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How things stand with an engine, all at one time.
 *
 * @param rules the rules in force
 * @param source where rules come from
 * @param store the kind of the shared store, or null where this host goes alone
 * @param hosts how many hosts share it; 0 where it is not known
 */
record EngineStatus(
        boolean ready,
        Health health,
        RuleSet rules,
        RulesStatus retrieval,
        String source,
        @Nullable String store,
        int hosts,
        long keys) {

    static EngineStatus of(RateLimitEngine engine) {
        BucketStore store = engine.sharedStore();
        return new EngineStatus(
                engine.isReady(),
                engine.health(),
                engine.rules(),
                engine.rulesStatus(),
                engine.rulesLocation(),
                store == null ? null : store.getClass().getSimpleName(),
                store == null ? 1 : store.hosts(),
                engine.keys());
    }

    byte[] toJson() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JsonText.JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeBooleanField("ready", ready);
            json.writeStringField("health", health.status().name());
            json.writeArrayFieldStart("reasons");
            for (String reason : health.reasons()) {
                json.writeString(reason);
            }
            json.writeEndArray();
            writeRules(json);
            json.writeObjectFieldStart("store");
            json.writeStringField("shared", store);
            json.writeNumberField("hosts", hosts);
            json.writeNumberField("keys", keys);
            json.writeEndObject();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void writeRules(JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("rules");
        json.writeStringField("source", source);
        json.writeStringField("origin", retrieval.origin().name());
        if (retrieval.ready()) {
            json.writeStringField("service", rules.service());
            json.writeNumberField("version", retrieval.version());
            json.writeNumberField("count", rules.rules().size());
        }
        Instant since = retrieval.since();
        json.writeStringField("since", since == null ? null : since.toString());
        json.writeStringField("error", retrieval.error());
        json.writeNumberField("failures", retrieval.failures());
        json.writeEndObject();
    }

    String toText() {
        StringBuilder text = new StringBuilder(ready ? "ready, " : "not ready, ").append(health.status());
        health.reasons().forEach(reason -> text.append("\n  ").append(reason));
        text.append("\nrules: ");
        if (retrieval.ready()) {
            text.append(rules.rules().size())
                    .append(" of service ")
                    .append(rules.service())
                    .append(", version ")
                    .append(retrieval.version())
                    .append(" since ")
                    .append(retrieval.since())
                    .append(", ");
        } else {
            text.append("none, ");
        }
        text.append(retrieval.origin()).append(", from ").append(source);
        text.append("\nstore: ").append(store == null ? "this host alone" : store + ", hosts: " + hosts);
        return text.append("\nkeys: ").append(keys).append('\n').toString();
    }
}
