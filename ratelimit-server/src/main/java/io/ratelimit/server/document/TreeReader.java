package io.ratelimit.server.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ratelimit.core.rules.Printable;
import io.ratelimit.rules.RulesException;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * Reads one YAML or JSON text as a tree of JSON that says the same to the rules parser. What an alias stands for is
 * written out. For one text each; works on a stack of its own, so that depth costs no call stack.
 */
final class TreeReader {

    /** As for the rules parser. */
    private static final int MOST_VALUES = 100_000;

    /** The field whose values count as they are written, whatever their type. */
    private static final String AS_WRITTEN = "attributes";

    private static final Pattern JSON_INTEGER = Pattern.compile("-?(0|[1-9][0-9]{0,29})");
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private static final class Open {
        private final JsonNode node;
        private final @Nullable String anchor;
        private final boolean asWritten;
        private @Nullable String key;

        Open(JsonNode node, @Nullable String anchor, boolean asWritten) {
            this.node = node;
            this.anchor = anchor;
            this.asWritten = asWritten;
        }
    }

    private final ScalarResolver types = new CoreSchema().getScalarResolver();
    private final YamlEvents events;
    private final Deque<Open> open = new ArrayDeque<>();
    private final Map<String, JsonNode> anchored = new HashMap<>();
    private JsonNode root = MissingNode.getInstance();
    private int values;

    TreeReader(String location) {
        this.events = new YamlEvents(location);
    }

    /** The tree; a missing node where the text holds nothing. */
    JsonNode read(String text) throws RulesException {
        int documents = 0;
        for (Event event : events.of(text)) {
            if (event instanceof DocumentStartEvent && ++documents > 1) {
                throw events.problem(event, "a second YAML document begins here; there is to be a single one");
            }
            handle(event);
        }
        return root;
    }

    private void handle(Event event) throws RulesException {
        if (event instanceof CollectionEndEvent) {
            end();
            return;
        }
        if (!(event instanceof NodeEvent node)) {
            return;
        }
        Open top = open.peek();
        if (top != null && top.key == null && top.node instanceof ObjectNode mapping) {
            top.key = key(node, mapping);
        } else if (event instanceof AliasEvent alias) {
            add(alias(alias));
        } else if (event instanceof ScalarEvent scalar) {
            refuseTag(scalar.getTag().isPresent(), event);
            count(1, event);
            JsonNode value = scalar(scalar, isAsWritten());
            remember(anchor(node), value);
            add(value);
        } else if (event instanceof CollectionStartEvent start) {
            refuseTag(start.getTag().isPresent(), event);
            begin(start);
        }
    }

    private String key(NodeEvent event, ObjectNode mapping) throws RulesException {
        if (!(event instanceof ScalarEvent scalar)) {
            throw events.problem(event, "a key of a mapping must be a plain text");
        }
        if (mapping.has(scalar.getValue())) {
            throw events.problem(
                    event,
                    "the field " + Printable.quoted(scalar.getValue()) + " stands twice in one mapping; keep one");
        }
        return scalar.getValue();
    }

    private void begin(CollectionStartEvent event) throws RulesException {
        count(1, event);
        JsonNode node = event instanceof MappingStartEvent ? NODES.objectNode() : NODES.arrayNode();
        open.push(new Open(node, anchor(event), isAsWritten()));
    }

    private void end() {
        Open ended = open.pop();
        remember(ended.anchor, ended.node);
        add(ended.node);
    }

    private JsonNode alias(AliasEvent event) throws RulesException {
        String name = event.getAlias().getValue();
        JsonNode node = anchored.get(name);
        if (node == null) {
            throw events.problem(event, "the alias " + Printable.quoted("*" + name) + " stands for nothing here");
        }
        count(size(node), event);
        return node.deepCopy();
    }

    private JsonNode scalar(ScalarEvent scalar, boolean asWritten) {
        String text = scalar.getValue();
        Tag type = scalar.isPlain() ? types.resolve(text, true) : Tag.STR;
        if (type.equals(Tag.NULL)) {
            return NODES.nullNode();
        }
        if (type.equals(Tag.BOOL) && (!asWritten || text.equals(text.toLowerCase(Locale.ROOT)))) {
            return NODES.booleanNode(Boolean.parseBoolean(text));
        }
        if (type.equals(Tag.INT) && JSON_INTEGER.matcher(text).matches()) {
            return NODES.numberNode(new BigInteger(text));
        }
        if (type.equals(Tag.INT) && !asWritten) {
            return NODES.numberNode(number(text));
        }
        // Where the parser takes a broken number at all, it takes the text: so nothing is rounded or respelt.
        return NODES.textNode(text);
    }

    private static BigInteger number(String text) {
        return switch (text.substring(0, Math.min(2, text.length()))) {
            case "0x" -> new BigInteger(text.substring(2), 16);
            case "0o" -> new BigInteger(text.substring(2), 8);
            default -> new BigInteger(text);
        };
    }

    private boolean isAsWritten() {
        Open top = open.peek();
        return top != null && (top.asWritten || AS_WRITTEN.equals(top.key));
    }

    private void add(JsonNode value) {
        Open parent = open.peek();
        if (parent == null) {
            root = value;
        } else if (parent.node instanceof ObjectNode mapping && parent.key != null) {
            mapping.set(parent.key, value);
            parent.key = null;
        } else if (parent.node instanceof ArrayNode list) {
            list.add(value);
        }
    }

    private void remember(@Nullable String anchor, JsonNode value) {
        if (anchor != null) {
            anchored.put(anchor, value);
        }
    }

    private void count(int more, Event event) throws RulesException {
        values += more;
        if (values > MOST_VALUES) {
            throw events.problem(event, "there are more than " + MOST_VALUES + " values, aliases included");
        }
    }

    private void refuseTag(boolean isTagged, Event event) throws RulesException {
        if (isTagged) {
            throw events.problem(event, "tags are not allowed; remove the tag, and quote what is a text");
        }
    }

    private static @Nullable String anchor(NodeEvent event) {
        return event.getAnchor().map(Anchor::getValue).orElse(null);
    }

    private static int size(JsonNode node) {
        int size = 1;
        for (JsonNode child : node) {
            size += size(child);
        }
        return size;
    }
}
