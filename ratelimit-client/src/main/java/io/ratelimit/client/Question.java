package io.ratelimit.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.ratelimit.RequestContext;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /v1/decide}. */
final class Question {

    /** Charges nothing, and is answered as any other is. */
    static final String WHETHER_YOU_ARE_THERE = "{\"look\":true}";

    private static final JsonFactory JSON = new JsonFactory();

    private final StringWriter text = new StringWriter(256);

    private Question() {}

    /**
     * Asks for a decision.
     *
     * @param look whether nothing is to be charged
     * @param settle whether a receipt is wanted in any case
     * @return the text in JSON
     */
    static String of(SentRequest request, boolean look, boolean settle) {
        Question question = new Question();
        try (JsonGenerator json = JSON.createGenerator(question.text)) {
            question.write(request, look, settle, json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return question.text.toString();
    }

    private void write(SentRequest request, boolean look, boolean settle, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("method", request.method());
        json.writeStringField("path", request.path());
        writeText(json, "query", query(request.parameters()));
        writeText(json, "operation", request.operation());
        if (request.cost() != RequestContext.NO_COST) {
            json.writeNumberField("cost", request.cost());
        }
        writeText(json, "ip", request.peerAddress());
        writeText(json, "user", request.user());
        writeHeaders(json, request.headers());
        writeTexts(json, "cookies", request.cookies());
        writeTexts(json, "attributes", request.attributes());
        if (look) {
            json.writeBooleanField("look", true);
        }
        if (settle) {
            json.writeBooleanField("settle", true);
        }
        json.writeEndObject();
    }

    private static @Nullable String query(Map<String, List<String>> parameters) {
        return parameters.isEmpty()
                ? null
                : parameters.entrySet().stream()
                        .flatMap(parameter -> parameter.getValue().stream()
                                .map(value -> encoded(parameter.getKey()) + "=" + encoded(value)))
                        .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static void writeText(JsonGenerator json, String name, @Nullable String value) throws IOException {
        if (value != null) {
            json.writeStringField(name, value);
        }
    }

    private static void writeHeaders(JsonGenerator json, Map<String, List<String>> headers) throws IOException {
        if (headers.isEmpty()) {
            return;
        }
        json.writeObjectFieldStart("headers");
        for (Map.Entry<String, List<String>> header : headers.entrySet()) {
            List<String> lines = header.getValue();
            if (lines.size() == 1) {
                json.writeStringField(header.getKey(), lines.get(0));
            } else {
                json.writeFieldName(header.getKey());
                json.writeArray(lines.toArray(String[]::new), 0, lines.size());
            }
        }
        json.writeEndObject();
    }

    /** As text, which is what rules compare. */
    private static void writeTexts(JsonGenerator json, String name, Map<String, ?> values) throws IOException {
        if (values.isEmpty()) {
            return;
        }
        json.writeObjectFieldStart(name);
        for (Map.Entry<String, ?> value : values.entrySet()) {
            json.writeStringField(value.getKey(), String.valueOf(value.getValue()));
        }
        json.writeEndObject();
    }
}
