package io.ratelimit.server.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ratelimit.rules.RulesException;
import io.ratelimit.server.document.RuleTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Between a rule and its form. What the form does not change stays as it was written, and what it does not know stays at
 * all. Nothing is judged here: a rule is judged as part of its document. Immutable and thread-safe.
 */
final class RuleFields {

    private static final String MATCH = "match";
    private static final String HEADER = "header:";
    private static final Set<String> PLAIN_KEYS = Set.of("user", "ip", "bearer", "service");
    private static final Set<String> ACTIONS = Set.of("shadow", "drop");
    private static final Pattern NUMBER = Pattern.compile("0|[1-9]\\d{0,14}");
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** What the form shows of a rule. */
    RuleForm form(RuleTree rule) {
        ObjectNode json = rule.json();
        JsonNode match = json.path(MATCH);
        JsonNode exceeded = json.path("onExceeded");
        String key = key(json.path("key"));
        return new RuleForm(
                rule.name(),
                lines(match.path("path")),
                String.join(", ", texts(match.path("methods"))),
                lines(match.path("operation")),
                key,
                key.equals("header") ? json.path("key").asText().substring(HEADER.length()) : "",
                lines(json.path("limits")),
                exceeded(exceeded),
                exceeded.path("status").asText(""),
                exceeded.path("queue").asText(""),
                exceeded.path("maxWait").asText(""));
    }

    /** What the form does not show of a rule, as YAML; empty where there is nothing. */
    String rest(RuleTree rule) {
        ObjectNode json = rule.json();
        json.remove(List.of("name", "limits", "onExceeded"));
        if (!key(json.path("key")).equals("other")) {
            json.remove("key");
        }
        if (json.path(MATCH) instanceof ObjectNode match) {
            match.remove(List.of("path", "methods", "operation"));
            if (match.isEmpty()) {
                json.remove(MATCH);
            }
        }
        return json.isEmpty() ? "" : RuleTree.of(json).yaml();
    }

    /**
     * The rule with what was typed in the form.
     *
     * @throws RulesException if a limit in braces cannot be read
     */
    RuleTree rule(RuleForm typed, RuleTree before) throws RulesException {
        RuleForm old = form(before);
        RuleTree rule = before.with("name", NODES.textNode(typed.name().strip()));
        ObjectNode match = match(typed, old, before);
        if (!match.equals(before.json().path(MATCH))) {
            rule = rule.with(MATCH, match.isEmpty() ? null : match);
        }
        if (!typed.key().equals(old.key()) || !typed.header().strip().equals(old.header())) {
            rule = rule.with("key", keyNode(typed, before));
        }
        if (!split(typed.limits()).equals(split(old.limits()))) {
            rule = rule.with("limits", limits(split(typed.limits())));
        }
        return isSameExceeded(typed, old) ? rule : rule.with("onExceeded", exceededNode(typed));
    }

    private static ObjectNode match(RuleForm typed, RuleForm old, RuleTree before) {
        ObjectNode match = before.json().path(MATCH) instanceof ObjectNode known ? known : NODES.objectNode();
        set(match, "path", split(typed.path()), split(old.path()));
        set(match, "methods", methods(typed.methods()), methods(old.methods()));
        set(match, "operation", split(typed.operation()), split(old.operation()));
        return match;
    }

    private static void set(ObjectNode match, String field, List<String> typed, List<String> old) {
        if (typed.isEmpty()) {
            match.remove(field);
        } else if (!typed.equals(old)) {
            match.set(field, oneOrMany(typed.stream().map(NODES::textNode).collect(Collectors.toList())));
        }
    }

    private static List<String> methods(String typed) {
        return split(typed.replace(',', '\n').replace(' ', '\n'));
    }

    private static JsonNode oneOrMany(List<? extends JsonNode> nodes) {
        ArrayNode many = NODES.arrayNode();
        nodes.forEach(many::add);
        return many.size() == 1 ? many.get(0) : many;
    }

    private static @Nullable JsonNode keyNode(RuleForm typed, RuleTree before) {
        return switch (typed.key()) {
            case "client" -> null;
            case "header" -> NODES.textNode(HEADER + typed.header().strip());
            case "other" -> before.json().get("key");
            default -> NODES.textNode(typed.key());
        };
    }

    private static @Nullable JsonNode limits(List<String> lines) throws RulesException {
        List<JsonNode> limits = new ArrayList<>();
        for (String line : lines) {
            limits.add(line.startsWith("{") ? RuleTree.parse(line).json() : NODES.textNode(line));
        }
        return limits.isEmpty() ? null : oneOrMany(limits);
    }

    private static boolean isSameExceeded(RuleForm typed, RuleForm old) {
        Function<RuleForm, List<String>> fields =
                form -> List.of(form.exceeded(), form.status(), form.places(), form.maxWait());
        return fields.apply(typed).equals(fields.apply(old));
    }

    private static @Nullable JsonNode exceededNode(RuleForm typed) {
        if (ACTIONS.contains(typed.exceeded())) {
            return NODES.textNode(typed.exceeded());
        }
        ObjectNode fields = NODES.objectNode();
        if (typed.exceeded().equals("queue")) {
            put(fields, "queue", typed.places());
            put(fields, "maxWait", typed.maxWait());
        }
        if (!typed.status().strip().equals("429")) {
            put(fields, "status", typed.status());
        }
        boolean isQueue = typed.exceeded().equals("queue");
        return fields.isEmpty() && !isQueue ? null : fields;
    }

    private static void put(ObjectNode fields, String name, String typed) {
        String value = typed.strip();
        if (NUMBER.matcher(value).matches()) {
            fields.put(name, Long.parseLong(value));
        } else if (!value.isEmpty()) {
            fields.put(name, value);
        }
    }

    private static String key(JsonNode key) {
        if (key.isMissingNode()) {
            return "client";
        }
        if (PLAIN_KEYS.contains(key.asText())) {
            return key.asText();
        }
        return key.asText().startsWith(HEADER) ? "header" : "other";
    }

    private static String exceeded(JsonNode exceeded) {
        if (exceeded.has("queue")) {
            return "queue";
        }
        return ACTIONS.contains(exceeded.asText()) ? exceeded.asText() : "reject";
    }

    private static List<String> split(String typed) {
        return typed.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    }

    private static String lines(JsonNode oneOrMany) {
        return String.join("\n", texts(oneOrMany));
    }

    private static List<String> texts(JsonNode oneOrMany) {
        if (oneOrMany.isMissingNode()) {
            return List.of();
        }
        return oneOrMany instanceof ArrayNode many
                ? StreamSupport.stream(many.spliterator(), false)
                        .map(RuleFields::text)
                        .toList()
                : List.of(text(oneOrMany));
    }

    private static String text(JsonNode node) {
        return node instanceof ObjectNode fields ? RuleTree.of(fields).toString() : node.asText();
    }
}
