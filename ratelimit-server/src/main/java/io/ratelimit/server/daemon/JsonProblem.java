package io.ratelimit.server.daemon;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import io.ratelimit.core.rules.NearestWord;
import io.ratelimit.core.rules.Printable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with JSON, in words for whoever sent it: Jackson's own name classes of ours where the JSON is well-formed and
 * means something else.
 *
 * @param text what is wrong, and what would be right
 */
record JsonProblem(String text) {

    /** What a caller sent may come back to it, but not at any length. */
    private static final int LONGEST = 200;

    static JsonProblem of(JsonProcessingException failure) {
        if (failure instanceof UnrecognizedPropertyException unknown) {
            return new JsonProblem(unknown(unknown));
        }
        return new JsonProblem(
                failure instanceof JsonMappingException mapping
                        ? "the field '" + field(mapping) + "' has a value of the wrong kind" + wanted(mapping)
                        : Printable.shortened(failure.getOriginalMessage(), LONGEST) + place(failure.getLocation()));
    }

    private static String unknown(UnrecognizedPropertyException unknown) {
        Set<String> known = unknown.getKnownPropertyIds().stream()
                .map(Object::toString)
                .collect(Collectors.toCollection(TreeSet::new));
        String name = Printable.shortened(unknown.getPropertyName(), LONGEST);
        return "there is no field '" + name + "'" + NearestWord.hint(name, known) + "; fields are "
                + String.join(", ", known);
    }

    private static String field(JsonMappingException mapping) {
        return Printable.shortened(
                mapping.getPath().stream()
                        .map(JsonMappingException.Reference::getFieldName)
                        .filter(Objects::nonNull)
                        .collect(Collectors.joining(".")),
                LONGEST);
    }

    private static String wanted(JsonMappingException mapping) {
        Class<?> type = mapping instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
        if (type == null) {
            return "";
        }
        if (type.isEnum()) {
            return ": it must be one of " + List.of(type.getEnumConstants());
        }
        if (type == String.class) {
            return ": it must be a text";
        }
        if (Map.class.isAssignableFrom(type)) {
            return ": it must be an object";
        }
        if (type == Boolean.class) {
            return ": it must be true or false";
        }
        return Number.class.isAssignableFrom(type) ? ": it must be a whole number" : "";
    }

    /** What is too deep or too long is not said to be anywhere. */
    private static String place(@Nullable JsonLocation location) {
        return location == null ? "" : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
    }
}
