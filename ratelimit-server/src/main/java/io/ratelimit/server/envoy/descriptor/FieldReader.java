package io.ratelimit.server.envoy.descriptor;

import io.ratelimit.core.rules.Cursor;
import io.ratelimit.core.rules.Fields;
import io.ratelimit.core.rules.NearestWord;
import io.ratelimit.core.rules.Node;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the fields of descriptor files as the reference does where it is lenient: a number is also a text, no value the
 * same as no field, and an empty text the same as none.
 */
final class FieldReader {

    /** The truth values of YAML 1.1, which the reference reads. */
    private static final Set<String> YES = Set.of("true", "yes", "on", "y");

    private static final Set<String> NO = Set.of("false", "no", "off", "n");

    private static final List<String> TRUTH_VALUES = List.of("true", "false");

    Optional<Cursor> present(Fields fields, String name) {
        return fields.get(name).filter(field -> !isNothing(field));
    }

    Optional<String> text(Fields fields, String name, String wanted) {
        return present(fields, name).flatMap(field -> field.anyScalar(wanted)).filter(text -> !text.isEmpty());
    }

    /** A text that must be there; the problem of one that is not is reported. */
    Optional<String> requiredText(Fields fields, String name, String wanted) {
        Optional<Cursor> field = fields.required(name, wanted);
        Optional<String> text = field.flatMap(value -> value.anyScalar(wanted));
        if (text.isPresent() && text.get().isBlank()) {
            field.get().problem("'" + name + "' is empty; give " + wanted);
            return Optional.empty();
        }
        return text;
    }

    boolean isTrue(Fields fields, String name) {
        Optional<Cursor> field = present(fields, name);
        if (field.isEmpty()) {
            return false;
        }
        String word = word(field.get());
        if (!isTruthValue(word)) {
            field.get()
                    .problem(field.get().described() + " stands where true or false is due"
                            + NearestWord.hint(word, TRUTH_VALUES));
        }
        return YES.contains(word);
    }

    /** Whether there is a value that is neither true nor false. */
    boolean isNoTruthValue(Fields fields, String name) {
        return present(fields, name).filter(field -> !isTruthValue(word(field))).isPresent();
    }

    private static String word(Cursor field) {
        return field.node() instanceof Node.Scalar scalar ? scalar.text().toLowerCase(Locale.ROOT) : "";
    }

    private static boolean isTruthValue(String word) {
        return YES.contains(word) || NO.contains(word);
    }

    private static boolean isNothing(Cursor field) {
        return field.node() instanceof Node.Scalar scalar && scalar.type() == Node.Scalar.Type.NULL;
    }
}
