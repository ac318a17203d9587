package io.ratelimit.server.document;

import io.ratelimit.core.lint.LintFinding;
import io.ratelimit.rules.RuleProblem;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Something to say about a rules document. Immutable and thread-safe.
 *
 * @param severity how bad it is
 * @param location where the document is, in the words of whoever asked: a file's name, or {@code the rules}
 * @param line the line, from 1; 0 where the finding is not in one place
 * @param column the column, from 1; 0 where the finding is not in one place
 * @param rule the rule's name, or null outside of a rule
 * @param field the field's path, such as {@code rules[2].limits[0]} or {@code costs[1]}; null where it is about no field
 * @param message what is wrong and what would be right, on one line
 */
public record Finding(
        Severity severity,
        String location,
        int line,
        int column,
        @Nullable String rule,
        @Nullable String field,
        String message) {

    private static final Pattern RULE = Pattern.compile("rule '([^']*)'");

    /** How bad a finding is. */
    public enum Severity {
        /** The document is refused. */
        ERROR,
        /** Something that the rules say has no effect, or harms. */
        WARNING,
        /** Something that is right if it is meant. */
        NOTE
    }

    /**
     * A mistake that refuses a document.
     *
     * @param problem the mistake
     * @return an error
     */
    public static Finding of(RuleProblem problem) {
        return new Finding(
                Severity.ERROR,
                problem.location(),
                problem.line(),
                problem.column(),
                problem.rule(),
                problem.field(),
                problem.message());
    }

    /** The finding without a line; what its message begins with is said by rule and field. */
    static Finding of(LintFinding found, String location) {
        Matcher rule = RULE.matcher(found.place());
        boolean isRule = rule.matches();
        return new Finding(
                found.severity() == LintFinding.Severity.WARNING ? Severity.WARNING : Severity.NOTE,
                location,
                0,
                0,
                isRule ? rule.group(1) : null,
                isRule ? null : found.place(),
                withoutPlace(found));
    }

    Finding at(Span place) {
        return new Finding(severity, location, place.line(), place.column(), rule, field, message);
    }

    private static String withoutPlace(LintFinding found) {
        String message = found.message();
        String place = found.place();
        if (!message.startsWith(place)) {
            return message;
        }
        return message.substring(place.length()).replaceFirst("^:? ", "");
    }

    /** One line: {@code rules.yaml:12:5: error: rule 'login', field rules[0].limits: …}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(location);
        if (line > 0) {
            text.append(':').append(line).append(':').append(column);
        }
        text.append(": ").append(severity.name().toLowerCase(Locale.ROOT)).append(": ");
        if (rule != null) {
            text.append("rule '").append(rule).append(field == null ? "': " : "', ");
        }
        if (field != null) {
            text.append("field ").append(field).append(": ");
        }
        return text.append(message).toString();
    }
}
