package io.ratelimit.server.console;

import io.ratelimit.rules.RuleProblem;
import io.ratelimit.rules.RulesException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a rule's form.
 *
 * @param byField what is wrong by the form's fields; that with none of them is at the empty name
 */
record FormErrors(Map<String, List<String>> byField) {

    static final FormErrors NONE = new FormErrors(Map.of());

    private static final Pattern RULE = Pattern.compile("^rules\\[\\d+](\\.|$)");
    /** A token of RFC 9110. */
    private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    /** Where the document complains, too, of what a field lacks. */
    private static final Map<String, Set<String>> FOLLOWING = Map.of(
            "header", Set.of("key"),
            "places", Set.of("exceeded", "status"),
            "maxWait", Set.of("exceeded", "status"));

    private static final Map<String, String> FIELDS = fields();

    static FormErrors of(RulesException invalid) {
        Map<String, List<String>> byField = new LinkedHashMap<>();
        for (RuleProblem problem : invalid.problems()) {
            byField.computeIfAbsent(field(problem.field()), field -> new ArrayList<>())
                    .add(problem.message());
        }
        return new FormErrors(byField);
    }

    static FormErrors of(String field, String message) {
        return new FormErrors(Map.of(field, List.of(message)));
    }

    /** What was left out, or cannot be, of what only some choices need. */
    static FormErrors of(RuleForm typed) {
        Map<String, List<String>> byField = new LinkedHashMap<>();
        if (typed.key().equals("header")
                && !HEADER_NAME.matcher(typed.header().strip()).matches()) {
            byField.put("header", List.of("Give the name of one header, such as X-Api-Key."));
        }
        if (typed.exceeded().equals("queue")) {
            if (typed.places().isBlank()) {
                byField.put("places", List.of("Say how many requests may wait at a time, such as 10."));
            }
            if (typed.maxWait().isBlank()) {
                byField.put("maxWait", List.of("Say how long a request may wait at most, such as 5s."));
            }
        }
        return new FormErrors(byField);
    }

    /** These, without those that only follow from what a form lacks, and with what it lacks. */
    FormErrors with(FormErrors lacking) {
        Map<String, List<String>> all = new LinkedHashMap<>(byField);
        lacking.byField.keySet().forEach(field -> all.keySet().removeAll(FOLLOWING.getOrDefault(field, Set.of())));
        all.putAll(lacking.byField);
        return new FormErrors(all);
    }

    boolean isNone() {
        return byField.isEmpty();
    }

    List<String> at(String field) {
        return byField.getOrDefault(field, List.of());
    }

    private static String field(@Nullable String path) {
        if (path == null || !RULE.matcher(path).find()) {
            return "";
        }
        String inRule = RULE.matcher(path).replaceFirst("");
        return FIELDS.entrySet().stream()
                .filter(field -> inRule.startsWith(field.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    /** The beginnings of a rule's fields in the document, the longest first, and the form's fields for them. */
    private static Map<String, String> fields() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("match.path", "path");
        fields.put("match.methods", "methods");
        fields.put("match.operation", "operation");
        fields.put("name", "name");
        fields.put("key", "key");
        fields.put("limits", "limits");
        fields.put("onExceeded.status", "status");
        fields.put("onExceeded.queue", "places");
        fields.put("onExceeded.maxWait", "maxWait");
        fields.put("onExceeded", "exceeded");
        return fields;
    }
}
