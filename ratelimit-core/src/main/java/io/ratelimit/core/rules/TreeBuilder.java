package io.ratelimit.core.rules;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds a tree of nodes from the events of a parser, with bounds that keep a hostile document cheap. Works on a stack
 * of its own, so that depth costs no call stack.
 */
final class TreeBuilder {

    static final int MOST_NODES = 100_000;
    static final int DEEPEST = 50;
    static final int LONGEST_SCALAR = 4_096;

    private final Deque<Open> open = new ArrayDeque<>();
    private final Map<String, Anchored> anchors = new HashMap<>();
    private int nodes;
    private @Nullable Node root;

    /** Whether the next event is a key of a mapping. */
    boolean awaitsKey() {
        Open top = open.peek();
        return top != null && top.isMapping && top.key == null;
    }

    void key(String text, int line, int column) throws SyntaxException {
        checkLength(text, line, column);
        Open top = open.element();
        top.key = text;
        top.keyLine = line;
        top.keyColumn = column;
    }

    void scalar(String text, Node.Scalar.Type type, @Nullable String anchor, int line, int column)
            throws SyntaxException {
        checkLength(text, line, column);
        count(1, line, column);
        Node node = new Node.Scalar(text, type, line, column);
        remember(anchor, node, 1);
        add(node);
    }

    void begin(boolean isMapping, @Nullable String anchor, int line, int column) throws SyntaxException {
        if (open.size() == DEEPEST) {
            throw new SyntaxException(
                    line, column, "the document is nested too deeply; lists and mappings nest at most " + DEEPEST);
        }
        if (anchor != null) {
            // Until it ends, the name stands for nothing: an alias inside of it would contain itself.
            anchors.remove(anchor);
        }
        open.push(new Open(isMapping, anchor, line, column, nodes));
        count(1, line, column);
    }

    void end() {
        Open top = open.pop();
        Node node = top.isMapping
                ? new Node.Mapping(top.entries, top.line, top.column)
                : new Node.Sequence(top.items, top.line, top.column);
        remember(top.anchor, node, nodes - top.nodesBefore);
        add(node);
    }

    /** Lets a node stand once more. It counts in full, as if it had been written out. */
    void alias(String name, int line, int column) throws SyntaxException {
        Anchored anchored = anchors.get(name);
        if (anchored == null) {
            throw new SyntaxException(
                    line,
                    column,
                    "the alias " + Printable.quoted("*" + name)
                            + " stands for nothing: no anchor of that name ends before it");
        }
        count(anchored.size, line, column);
        add(anchored.node);
    }

    /** The finished tree; null where there was no event. */
    @Nullable
    Node root() {
        return root;
    }

    private void remember(@Nullable String anchor, Node node, int size) {
        if (anchor != null) {
            anchors.put(anchor, new Anchored(node, size));
        }
    }

    private void add(Node node) {
        Open parent = open.peek();
        if (parent == null) {
            root = node;
        } else if (parent.key != null) {
            parent.entries.add(new Node.Entry(parent.key, parent.keyLine, parent.keyColumn, node));
            parent.key = null;
        } else {
            parent.items.add(node);
        }
    }

    private void count(int more, int line, int column) throws SyntaxException {
        nodes += more;
        if (nodes > MOST_NODES) {
            throw new SyntaxException(
                    line,
                    column,
                    "the document is too large; it has at most " + MOST_NODES + " values, aliases included");
        }
    }

    private static void checkLength(String text, int line, int column) throws SyntaxException {
        if (text.length() > LONGEST_SCALAR) {
            throw new SyntaxException(
                    line,
                    column,
                    "the value " + Printable.quoted(text) + " has " + text.length()
                            + " characters; a value has at most " + LONGEST_SCALAR);
        }
    }

    /** A node that an alias may name, and how many nodes it stands for. */
    private record Anchored(Node node, int size) {}

    /** A list or mapping whose end has not come yet. */
    private static final class Open {
        private final boolean isMapping;
        private final @Nullable String anchor;
        private final int line;
        private final int column;
        private final int nodesBefore;
        private final List<Node> items = new ArrayList<>();
        private final List<Node.Entry> entries = new ArrayList<>();
        private @Nullable String key;
        private int keyLine;
        private int keyColumn;

        Open(boolean isMapping, @Nullable String anchor, int line, int column, int nodesBefore) {
            this.isMapping = isMapping;
            this.anchor = anchor;
            this.line = line;
            this.column = column;
            this.nodesBefore = nodesBefore;
        }
    }
}
