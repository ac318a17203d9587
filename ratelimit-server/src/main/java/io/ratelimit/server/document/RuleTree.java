package io.ratelimit.server.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ratelimit.rules.RuleProblem;
import io.ratelimit.rules.RulesException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One rule as a tree of fields, whichever notation it came in, so that single rules can be taken and given as JSON and as
 * YAML, and some of their fields changed. Not checked by the rules' grammar: a rule is judged as part of its document.
 * Immutable and thread-safe.
 */
public final class RuleTree {

    private static final String LOCATION = "the rule";

    private final ObjectNode fields;

    private RuleTree(ObjectNode fields) {
        this.fields = fields;
    }

    /**
     * A rule from its fields.
     *
     * @param fields the rule's fields; copied
     * @return the rule
     */
    public static RuleTree of(ObjectNode fields) {
        return new RuleTree(fields.deepCopy());
    }

    /**
     * Reads one rule.
     *
     * @param text the rule alone in YAML or JSON: a mapping that begins with fields such as {@code name: everyone}
     * @return the rule
     * @throws RulesException if the text is no mapping; its problem has the line in this text
     */
    public static RuleTree parse(String text) throws RulesException {
        if (new TreeReader(LOCATION).read(text) instanceof ObjectNode fields) {
            return new RuleTree(fields);
        }
        String message = "one rule is a mapping that begins with a field such as 'name: everyone'";
        throw new RulesException(List.of(new RuleProblem(LOCATION, 1, 1, null, null, message)));
    }

    /**
     * The rules of a document, in its order. What aliases stand for is written out.
     *
     * @param document a whole document in YAML or JSON
     * @return its rules; what is no mapping is left out
     * @throws RulesException if the text is not YAML
     */
    public static List<RuleTree> allOf(String document) throws RulesException {
        List<RuleTree> rules = new ArrayList<>();
        for (JsonNode rule : new TreeReader(RulesEditor.LOCATION).read(document).path("rules")) {
            if (rule instanceof ObjectNode fields) {
                rules.add(new RuleTree(fields));
            }
        }
        return rules;
    }

    /**
     * The rule of a name.
     *
     * @param document a whole document in YAML or JSON
     * @param name the rule's name
     * @return the rule; empty where the document has none of this name
     * @throws RulesException if the text is not YAML
     */
    public static Optional<RuleTree> find(String document, String name) throws RulesException {
        return allOf(document).stream().filter(rule -> rule.name().equals(name)).findFirst();
    }

    /**
     * The rule's name.
     *
     * @return the name; empty where the rule has none
     */
    public String name() {
        return fields.path("name").asText("");
    }

    /**
     * The rule with one field changed.
     *
     * @param field the field's name, such as {@code limits}
     * @param value its value, or null to leave the field out
     * @return the changed rule; a new field stands last
     */
    public RuleTree with(String field, @Nullable JsonNode value) {
        ObjectNode changed = fields.deepCopy();
        if (value == null) {
            changed.remove(field);
        } else {
            changed.set(field, value.deepCopy());
        }
        return new RuleTree(changed);
    }

    /**
     * The rule's fields.
     *
     * @return a copy
     */
    public ObjectNode json() {
        return fields.deepCopy();
    }

    /**
     * The rule as YAML in the layout of the manual: a field a line, small mappings and lists in braces and brackets.
     *
     * @return lines that end with {@code \n}, without the {@code -} of a list
     */
    public String yaml() {
        return new YamlLayout().block(fields);
    }

    /** The rule as YAML on one line, in braces. */
    String flow() {
        return new YamlLayout().flow(fields);
    }

    /** Whether the other says the same, in whatever order its fields stand. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RuleTree tree && fields.equals(tree.fields);
    }

    @Override
    public int hashCode() {
        return fields.hashCode();
    }

    /** The rule as YAML on one line. */
    @Override
    public String toString() {
        return flow();
    }
}
