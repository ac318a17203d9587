package io.ratelimit.core.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.ratelimit.core.Health;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.retrieve.RulesStatus;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.store.BucketStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How things stand with an engine. Each part is read by itself: while rules are reloaded, those in force may already be
 * other ones than their retrieval tells.
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

    static EngineStatus of(RateLimitEngine engine, List<String> moreTrouble) {
        BucketStore store = engine.sharedStore();
        return new EngineStatus(
                engine.isReady(),
                engine.health().with(moreTrouble),
                engine.rules(),
                engine.rulesStatus(),
                engine.rulesLocation(),
                store == null ? null : store.getClass().getSimpleName(),
                store == null ? 1 : store.hosts(),
                engine.keys());
    }

    byte[] toJson() {
        return JsonText.of(this::write).getBytes(StandardCharsets.UTF_8);
    }

    private void write(JsonGenerator json) throws IOException {
        json.writeBooleanField("ready", ready);
        json.writeStringField("health", health.status().name());
        writeTexts(json, "reasons", health.reasons());
        writeRules(json);
        json.writeObjectFieldStart("store");
        json.writeStringField("shared", store);
        json.writeNumberField("hosts", hosts);
        json.writeNumberField("keys", keys);
        json.writeEndObject();
    }

    private static void writeTexts(JsonGenerator json, String name, List<String> texts) throws IOException {
        json.writeArrayFieldStart(name);
        for (String text : texts) {
            json.writeString(text);
        }
        json.writeEndArray();
    }

    private void writeRules(JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("rules");
        json.writeStringField("source", source);
        json.writeStringField("origin", retrieval.origin().name());
        if (retrieval.ready()) {
            json.writeStringField("service", rules.service());
            json.writeNumberField("version", retrieval.version());
            json.writeStringField("versionName", retrieval.versionName());
            json.writeNumberField("count", rules.rules().size());
        }
        Instant since = retrieval.since();
        json.writeStringField("since", since == null ? null : since.toString());
        json.writeStringField("error", retrieval.error());
        writeTexts(json, "errors", retrieval.errors());
        json.writeNumberField("failures", retrieval.failures());
        json.writeStringField("push", retrieval.push().name());
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
                    .append(retrieval.versionText())
                    .append(" since ")
                    .append(retrieval.since())
                    .append(", ");
        } else {
            text.append("none, ");
        }
        text.append(retrieval.origin()).append(", from ").append(source);
        if (retrieval.push() != RulesStatus.Push.NONE) {
            text.append(", push: ").append(retrieval.push());
        }
        text.append("\nstore: ").append(store == null ? "this host alone" : store + ", hosts: " + hosts);
        return text.append("\nkeys: ").append(keys).append('\n').toString();
    }
}
