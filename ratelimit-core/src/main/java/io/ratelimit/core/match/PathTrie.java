package io.ratelimit.core.match;

import io.ratelimit.rules.PathPattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the patterns that a path matches in a time that grows with the path's length, not with the number of patterns.
 * The tree is walked as a nondeterministic automaton, all branches side by side, so that no path makes it backtrack.
 * Filled by one thread, then read by any number.
 *
 * @param <T> what the patterns lead to
 */
final class PathTrie<T> {

    /**
     * A place in some patterns that a path has come to.
     *
     * @param <T> what the patterns lead to
     */
    static final class Node<T> {
        private final int number;
        private final Map<String, Node<T>> literals = new HashMap<>();
        private @Nullable Node<T> anySegment;
        private @Nullable Node<T> anySegments;
        private boolean repeats;
        private final List<T> values = new ArrayList<>();

        private Node(int number) {
            this.number = number;
        }

        /** Tells nodes of one tree apart, from 0. */
        int number() {
            return number;
        }

        /** The segments that lead to a place of their own. */
        Set<String> literals() {
            return literals.keySet();
        }

        /** What the patterns lead to that end here. */
        List<T> values() {
            return values;
        }
    }

    private int nodes;
    private final Node<T> root = newNode();

    /** A tree of patterns that lead to themselves. */
    static PathTrie<PathPattern> of(List<PathPattern> patterns) {
        PathTrie<PathPattern> trie = new PathTrie<>();
        patterns.forEach(pattern -> trie.add(pattern, pattern));
        return trie;
    }

    private Node<T> newNode() {
        return new Node<>(nodes++);
    }

    /** How many nodes there are. */
    int size() {
        return nodes;
    }

    void add(PathPattern pattern, T value) {
        Node<T> node = root;
        for (String segment : pattern.segments()) {
            node = childOf(node, segment);
        }
        node.values.add(value);
    }

    private Node<T> childOf(Node<T> node, String segment) {
        switch (segment) {
            case PathPattern.ANY_SEGMENT -> {
                Node<T> child = node.anySegment == null ? newNode() : node.anySegment;
                node.anySegment = child;
                return child;
            }
            case PathPattern.ANY_SEGMENTS -> {
                Node<T> child = node.anySegments == null ? newNode() : node.anySegments;
                child.repeats = true;
                node.anySegments = child;
                return child;
            }
            default -> {
                return node.literals.computeIfAbsent(segment, ignored -> newNode());
            }
        }
    }

    /** Tells of every pattern that matches; of one value as often as it has patterns that do. */
    void match(List<String> segments, Consumer<T> found) {
        for (Node<T> node : walk(segments)) {
            node.values.forEach(found);
        }
    }

    /** Whether any pattern matches. */
    boolean matches(List<String> segments) {
        for (Node<T> node : walk(segments)) {
            if (!node.values.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private List<Node<T>> walk(List<String> segments) {
        List<Node<T>> active = start();
        for (String segment : segments) {
            active = step(active, segment);
        }
        return active;
    }

    /** Where a path is before its first segment. */
    List<Node<T>> start() {
        List<Node<T>> active = new ArrayList<>();
        activate(root, active);
        return active;
    }

    /**
     * Where a path is after another segment.
     *
     * @param active where it was
     * @param segment the segment, or null for one that is no {@linkplain Node#literals() literal} of these nodes
     */
    List<Node<T>> step(List<Node<T>> active, @Nullable String segment) {
        List<Node<T>> next = new ArrayList<>();
        for (Node<T> node : active) {
            Node<T> literal = segment == null ? null : node.literals.get(segment);
            if (literal != null) {
                activate(literal, next);
            }
            if (node.anySegment != null) {
                activate(node.anySegment, next);
            }
            if (node.repeats) {
                activate(node, next);
            }
        }
        return next;
    }

    /** Adds a node and those behind it that need no further segment. */
    private static <T> void activate(Node<T> node, List<Node<T>> active) {
        for (Node<T> other = node; other != null && !containsSame(active, other); other = other.anySegments) {
            active.add(other);
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private static <T> boolean containsSame(List<Node<T>> nodes, Node<T> node) {
        for (Node<T> other : nodes) {
            if (other == node) {
                return true;
            }
        }
        return false;
    }
}
