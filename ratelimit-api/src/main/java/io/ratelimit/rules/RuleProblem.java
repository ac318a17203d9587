package io.ratelimit.rules;

import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong in a rules document.
 *
 * @param location the document's place: a file's path or a URL
 * @param line the line, from 1; 0 where the problem is not in one place
 * @param column the column, from 1; 0 where the problem is not in one place
 * @param rule the rule's name, or null outside of a rule
 * @param field the field's path, such as {@code rules[2].limits[0]}, or null where the document cannot be read at all
 * @param message what is wrong, with the value, and what would be right
 */
public record RuleProblem(
        String location,
        int line,
        int column,
        @Nullable String rule,
        @Nullable String field,
        String message) {

    /** One line: {@code rules.yaml:12:5: rule 'login', field rules[0].limits: …}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(location);
        if (line > 0) {
            text.append(':').append(line).append(':').append(column);
        }
        text.append(": ");
        if (rule != null) {
            text.append("rule '").append(rule).append("', ");
        }
        if (field != null) {
            text.append("field ").append(field).append(": ");
        }
        return text.append(message).toString();
    }
}
