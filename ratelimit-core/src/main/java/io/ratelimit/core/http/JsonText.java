package io.ratelimit.core.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** Writes objects of JSON. */
final class JsonText {

    /** Without the default pool, which would stay behind in each of the container's threads when the application goes. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .recyclerPool(JsonRecyclerPools.nonRecyclingPool())
            .build();

    private JsonText() {}

    static String of(Members members) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            members.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** Writes the members of an object. */
    @FunctionalInterface
    interface Members {
        void write(JsonGenerator json) throws IOException;
    }
}
