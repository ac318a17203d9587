package io.ratelimit.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.ratelimit.RequestContext;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * How a request went.
 *
 * @param receipt what the daemon knows it by
 * @param outcome the word for it
 * @param status the response's status, or {@link #NO_STATUS}
 * @param cost what it cost, or {@link RequestContext#NO_COST}
 * @param knownNanos since when that is known, by {@link System#nanoTime}
 */
record ReceiptOutcome(String receipt, String outcome, int status, long cost, long knownNanos) {

    static final int NO_STATUS = 0;

    private static final JsonFactory JSON = new JsonFactory();

    /** The body of {@code POST /v1/settle}. */
    static String json(List<ReceiptOutcome> outcomes) {
        StringWriter text = new StringWriter(outcomes.size() * 64);
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeArrayFieldStart("settlements");
            for (ReceiptOutcome outcome : outcomes) {
                outcome.write(json);
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("receipt", receipt);
        json.writeStringField("outcome", outcome);
        if (status != NO_STATUS) {
            json.writeNumberField("status", status);
        }
        if (cost != RequestContext.NO_COST) {
            json.writeNumberField("cost", cost);
        }
        json.writeEndObject();
    }
}
