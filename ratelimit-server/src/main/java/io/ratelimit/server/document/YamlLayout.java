package io.ratelimit.server.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes trees as YAML in the layout of the manual: a field a line, small mappings and lists in braces and brackets, texts
 * without quotes wherever every reader of YAML 1.1 and 1.2 takes them for texts. Immutable and thread-safe.
 */
final class YamlLayout {

    private static final int WIDTH = 100;
    private static final String STEP = "  ";

    private static final Pattern PLAIN = Pattern.compile("[\\p{L}0-9/_]([\\p{L}0-9/_.*+@%, -]*[\\p{L}0-9/_.*+@%-])?");
    /** What looks like a text, but is a number, a truth value, a date or nothing to some reader. */
    private static final Pattern NO_TEXT = Pattern.compile("(?i:y|n|yes|no|on|off|true|false|null)"
            + "|[0-9][0-9_]*(\\.[0-9_]*)?([eE][-+]?[0-9]+)?"
            + "|0[xob][0-9a-fA-F_]+"
            + "|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*");

    /** The fields of a mapping, a line each or more; each line ends with {@code \n}. */
    String block(JsonNode mapping) {
        return lines(mapping).stream().map(line -> line + "\n").collect(Collectors.joining());
    }

    /** The value on one line. */
    String flow(JsonNode value) {
        if (value.isObject()) {
            return value.isEmpty()
                    ? "{}"
                    : value.properties().stream()
                            .map(field -> scalar(field.getKey(), true) + ": " + flow(field.getValue()))
                            .collect(Collectors.joining(", ", "{ ", " }"));
        }
        if (value instanceof ArrayNode list) {
            return list.valueStream().map(this::flow).collect(Collectors.joining(", ", "[", "]"));
        }
        return scalar(value, true);
    }

    private List<String> lines(JsonNode node) {
        List<String> lines = new ArrayList<>();
        if (node.isObject()) {
            for (Map.Entry<String, JsonNode> field : node.properties()) {
                field(scalar(field.getKey(), false), field.getValue(), lines);
            }
        } else {
            for (JsonNode item : node) {
                item(item, lines);
            }
        }
        return lines;
    }

    private void field(String key, JsonNode value, List<String> lines) {
        if (!value.isContainerNode()) {
            lines.add(key + ": " + scalar(value, false));
        } else if (isSmall(value)) {
            lines.add(key + ": " + flow(value));
        } else {
            lines.add(key + ":");
            lines(value).forEach(line -> lines.add(STEP + line));
        }
    }

    private void item(JsonNode item, List<String> lines) {
        if (!item.isContainerNode() || isSmall(item)) {
            lines.add("- " + (item.isContainerNode() ? flow(item) : scalar(item, false)));
            return;
        }
        List<String> inner = lines(item);
        lines.add("- " + inner.get(0));
        inner.subList(1, inner.size()).forEach(line -> lines.add(STEP + line));
    }

    /** Whether a line is enough: several mappings of a list are easier to read below one another. */
    private boolean isSmall(JsonNode value) {
        if (value instanceof ArrayNode list
                && list.valueStream().filter(JsonNode::isObject).count() > 1) {
            return false;
        }
        return value.isEmpty() || flow(value).length() <= WIDTH;
    }

    private String scalar(JsonNode value, boolean inFlow) {
        return value.isTextual() ? scalar(value.textValue(), inFlow) : value.asText();
    }

    private String scalar(String text, boolean inFlow) {
        return isPlain(text) && !(inFlow && text.indexOf(',') >= 0) ? text : quoted(text);
    }

    private static boolean isPlain(String text) {
        return PLAIN.matcher(text).matches() && !NO_TEXT.matcher(text).matches();
    }

    /** What JSON quotes is quoted in YAML as well, but for characters that YAML does not take as they are. */
    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder();
        TextNode.valueOf(text).toString().codePoints().forEach(point -> {
            if (mustBeEscaped(point)) {
                quoted.append(String.format("\\u%04x", point));
            } else {
                quoted.appendCodePoint(point);
            }
        });
        return quoted.toString();
    }

    private static boolean mustBeEscaped(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.SURROGATE ->
                true;
            default -> point >= 0xFEFF && point <= 0xFFFF && (point == 0xFEFF || point >= 0xFFFE);
        };
    }
}
