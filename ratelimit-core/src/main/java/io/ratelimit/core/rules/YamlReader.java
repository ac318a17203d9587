package io.ratelimit.core.rules;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Reads one YAML 1.2 document under the core schema. Tags are refused; nothing is ever constructed from them. */
final class YamlReader {

    private static final int LONGEST_MESSAGE = 300;

    private final ScalarResolver types = new CoreSchema().getScalarResolver();
    private final DocumentKind kind;

    YamlReader(DocumentKind kind) {
        this.kind = kind;
    }

    Node read(String text) throws SyntaxException {
        TreeBuilder tree = new TreeBuilder();
        try {
            int documents = 0;
            for (Event event : new Parse(settings(text)).parseString(text)) {
                if (event.getEventId() == Event.ID.DocumentStart && ++documents > 1) {
                    throw at(event, "a second YAML document begins here; a " + kind.name() + " is a single one");
                }
                handle(event, tree);
            }
        } catch (MarkedYamlEngineException e) {
            throw unreadable(e);
        } catch (RuntimeException e) {
            // The parser's other complaints have no place; a defect of the parser must not get past us either.
            throw new SyntaxException(0, 0, "the document is not YAML: " + oneLine(String.valueOf(e.getMessage())));
        }
        Node root = tree.root();
        if (root == null || isNothing(root)) {
            throw kind.empty();
        }
        return root;
    }

    private static LoadSettings settings(String text) {
        return LoadSettings.builder()
                .setParseComments(false)
                .setCodePointLimit(Integer.MAX_VALUE)
                // The parser's buffer grows by copying, which takes quadratic time where a token is huge.
                .setBufferSize(text.length() + 1)
                .build();
    }

    private void handle(Event event, TreeBuilder tree) throws SyntaxException {
        if (event instanceof NodeEvent node) {
            if (tree.awaitsKey()) {
                key(node, tree);
            } else {
                value(node, tree);
            }
        } else if (event.getEventId() == Event.ID.MappingEnd || event.getEventId() == Event.ID.SequenceEnd) {
            tree.end();
        }
    }

    private static void key(NodeEvent event, TreeBuilder tree) throws SyntaxException {
        if (!(event instanceof ScalarEvent scalar)) {
            throw at(event, "a key of a mapping must be a plain text, not a list, a mapping or an alias");
        }
        refuseTag(scalar.getTag(), event);
        if (event.getAnchor().isPresent()) {
            throw at(event, "a key of a mapping takes no anchor; anchor a value");
        }
        tree.key(scalar.getValue(), line(event), column(event));
    }

    private void value(NodeEvent event, TreeBuilder tree) throws SyntaxException {
        int line = line(event);
        int column = column(event);
        if (event instanceof AliasEvent alias) {
            tree.alias(alias.getAlias().getValue(), line, column);
        } else if (event instanceof ScalarEvent scalar) {
            refuseTag(scalar.getTag(), event);
            tree.scalar(scalar.getValue(), type(scalar), anchor(event), line, column);
        } else if (event instanceof CollectionStartEvent start) {
            refuseTag(start.getTag(), event);
            tree.begin(event instanceof MappingStartEvent, anchor(event), line, column);
        }
    }

    private Node.Scalar.Type type(ScalarEvent scalar) {
        if (!scalar.isPlain() || scalar.getValue().length() > TreeBuilder.LONGEST_SCALAR) {
            return Node.Scalar.Type.TEXT;
        }
        Tag tag = types.resolve(scalar.getValue(), true);
        if (tag.equals(Tag.INT)) {
            return Node.Scalar.Type.WHOLE_NUMBER;
        }
        if (tag.equals(Tag.FLOAT)) {
            return Node.Scalar.Type.OTHER_NUMBER;
        }
        if (tag.equals(Tag.BOOL)) {
            return Node.Scalar.Type.BOOLEAN;
        }
        return tag.equals(Tag.NULL) ? Node.Scalar.Type.NULL : Node.Scalar.Type.TEXT;
    }

    private static void refuseTag(Optional<String> tag, Event event) throws SyntaxException {
        if (tag.isPresent()) {
            throw at(
                    event,
                    "the tag " + Printable.quoted(tag.get()) + " is not allowed; remove it, and quote what is a text");
        }
    }

    private static @Nullable String anchor(NodeEvent event) {
        return event.getAnchor().map(Anchor::getValue).orElse(null);
    }

    private static boolean isNothing(Node root) {
        return root instanceof Node.Scalar scalar && scalar.type() == Node.Scalar.Type.NULL;
    }

    private static SyntaxException unreadable(MarkedYamlEngineException e) {
        StringBuilder message = new StringBuilder("the document is not YAML: ").append(e.getProblem());
        if (e.getContext() != null) {
            message.append(" (").append(e.getContext());
            e.getContextMark()
                    .ifPresent(mark -> message.append(" that begins in line ").append(mark.getLine() + 1));
            message.append(')');
        }
        if (e.getProblem().contains("but got {")) {
            message.append("; put patterns with braces in quotes: \"/users/{id}\"");
        }
        if (e.getProblem().startsWith("mapping values are not allowed")) {
            message.append(
                    "; put identities and other texts with a colon in quotes: \"header:X-Api-Key\", or look at the indentation");
        }
        if (e.getProblem().startsWith("expected <block end>")) {
            message.append("; look at the indentation: what belongs together begins in the same column");
        }
        Optional<Mark> place = e.getProblemMark().or(e::getContextMark);
        return new SyntaxException(
                place.map(mark -> mark.getLine() + 1).orElse(0),
                place.map(mark -> mark.getColumn() + 1).orElse(0),
                oneLine(message.toString()));
    }

    private static String oneLine(String message) {
        return Printable.escaped(Printable.shortened(message, LONGEST_MESSAGE));
    }

    private static SyntaxException at(Event event, String message) {
        return new SyntaxException(line(event), column(event), message);
    }

    private static int line(Event event) {
        return event.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
    }

    private static int column(Event event) {
        return event.getStartMark().map(mark -> mark.getColumn() + 1).orElse(0);
    }
}
