package io.ratelimit.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An object in JSON. What is not of the kind that is asked for, or is missing, is an {@link IllegalArgumentException} that
 * names the field; fields that nobody asks for do not matter. Immutable.
 */
final class JsonFields {

    private static final JsonFactory JSON = new JsonFactory();

    private final Map<?, ?> fields;

    private JsonFields(Map<?, ?> fields) {
        this.fields = fields;
    }

    /**
     * Reads an object.
     *
     * @throws IllegalArgumentException if the text is no object in JSON
     */
    static JsonFields parse(String text) {
        try (JsonParser json = JSON.createParser(text)) {
            json.nextToken();
            if (value(json) instanceof Map<?, ?> fields && json.nextToken() == null) {
                return new JsonFields(fields);
            }
        } catch (IOException e) {
            // The message would show what was sent.
            throw new IllegalArgumentException("no JSON");
        }
        throw new IllegalArgumentException("no object in JSON");
    }

    private static @Nullable Object value(JsonParser json) throws IOException {
        JsonToken token = json.currentToken();
        if (token == JsonToken.START_OBJECT) {
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                json.nextToken();
                fields.put(name, value(json));
            }
            return fields;
        }
        if (token == JsonToken.START_ARRAY) {
            List<@Nullable Object> items = new ArrayList<>();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                items.add(value(json));
            }
            return items;
        }
        if (token == JsonToken.VALUE_NUMBER_INT) {
            return json.getLongValue();
        }
        if (token == JsonToken.VALUE_NUMBER_FLOAT) {
            // Nobody asks for one; as text it could be taken for a name.
            return json.getDoubleValue();
        }
        if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
            return token == JsonToken.VALUE_TRUE;
        }
        return token == null || token == JsonToken.VALUE_NULL ? null : json.getText();
    }

    boolean has(String name) {
        return fields.get(name) != null;
    }

    boolean flag(String name) {
        return get(name, Boolean.class);
    }

    String text(String name) {
        return get(name, String.class);
    }

    /** A whole number, written as one, from the least to the most. */
    long number(String name, long least, long most) {
        long number = get(name, Long.class);
        if (number < least || number > most) {
            throw new IllegalArgumentException(
                    "'" + name + "' is " + number + ", and not between " + least + " and " + most);
        }
        return number;
    }

    /** The objects of an array, none where there is no array. */
    List<JsonFields> objects(String name) {
        List<JsonFields> objects = new ArrayList<>();
        if (has(name)) {
            for (Object item : (List<?>) get(name, List.class)) {
                objects.add(new JsonFields(as(name, item, Map.class)));
            }
        }
        return objects;
    }

    /** The texts of an object, none where there is no object. */
    Map<String, String> texts(String name) {
        Map<String, String> texts = new LinkedHashMap<>();
        if (has(name)) {
            for (Map.Entry<?, ?> field : ((Map<?, ?>) get(name, Map.class)).entrySet()) {
                texts.put(as(name, field.getKey(), String.class), as(name, field.getValue(), String.class));
            }
        }
        return Collections.unmodifiableMap(texts);
    }

    private <T> T get(String name, Class<T> type) {
        return as(name, fields.get(name), type);
    }

    private static <T> T as(String name, @Nullable Object value, Class<T> type) {
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException("'" + name + "' is no " + type.getSimpleName());
        }
        return type.cast(value);
    }
}
