package io.ratelimit.core.report;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is told of a request: a copy of what the rules in force look at, and nothing else of it. Immutable.
 *
 * @param atMillis when it was decided, in milliseconds since the epoch
 * @param method its method
 * @param path its path below the application, without the query
 * @param operation what the application calls it, or null
 * @param user the user, or null where there is none or the rules do not look at users
 * @param ip the client's address, or null where there is none or the rules do not look at addresses
 * @param cost what it costs by the application's word, or a negative number where the rules say it
 * @param headers hashes by the headers' names in lower case
 * @param cookies hashes by the cookies' names
 * @param attributes by name, in clear those that conditions look at, and hashes of those that are a key only
 */
record SeenRequest(
        long atMillis,
        String method,
        String path,
        @Nullable String operation,
        @Nullable String user,
        @Nullable String ip,
        long cost,
        Map<String, String> headers,
        Map<String, String> cookies,
        Map<String, String> attributes) {

    /** A service counts no further. */
    private static final long MOST_COST = 1_000_000_000_000L;

    void writeTo(JsonGenerator json) throws IOException {
        json.writeNumberField("at", atMillis);
        json.writeStringField("method", method);
        json.writeStringField("path", path);
        writeText(json, "operation", operation);
        writeText(json, "user", user);
        writeText(json, "ip", ip);
        if (cost >= 0) {
            json.writeNumberField("cost", Math.min(cost, MOST_COST));
        }
        if (!headers.isEmpty()) {
            json.writeObjectFieldStart("headers");
            for (Map.Entry<String, String> header : headers.entrySet()) {
                json.writeArrayFieldStart(header.getKey());
                json.writeString(header.getValue());
                json.writeEndArray();
            }
            json.writeEndObject();
        }
        writeTexts(json, "cookies", cookies);
        writeTexts(json, "attributes", attributes);
    }

    private static void writeText(JsonGenerator json, String name, @Nullable String text) throws IOException {
        if (text != null) {
            json.writeStringField(name, text);
        }
    }

    private static void writeTexts(JsonGenerator json, String name, Map<String, String> texts) throws IOException {
        if (texts.isEmpty()) {
            return;
        }
        json.writeObjectFieldStart(name);
        for (Map.Entry<String, String> text : texts.entrySet()) {
            json.writeStringField(text.getKey(), text.getValue());
        }
        json.writeEndObject();
    }
}
