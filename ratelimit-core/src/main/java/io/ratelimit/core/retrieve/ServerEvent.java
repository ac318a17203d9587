package io.ratelimit.core.retrieve;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Optional;

/**
 * An event of a stream of {@code text/event-stream}.
 *
 * @param type its type, {@code message} where the stream names none
 * @param data its lines of data, joined by line feeds
 */
record ServerEvent(String type, String data) {

    private static final JsonFactory JSON = new JsonFactory();

    /** The tag of rules that were published: <code>{"version":17,"tag":"\"17-3fb2c1d0\""}</code>; empty for what is none. */
    Optional<String> publishedTag() {
        if (!type.equals("published")) {
            return Optional.empty();
        }
        try (JsonParser json = JSON.createParser(data)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                JsonToken value = json.nextToken();
                if (name.equals("tag") && value == JsonToken.VALUE_STRING) {
                    return Optional.of(json.getText());
                }
                json.skipChildren();
            }
            return Optional.empty();
        } catch (IOException e) {
            // Not worth more: what it would have told is found at the next poll.
            return Optional.empty();
        }
    }
}
