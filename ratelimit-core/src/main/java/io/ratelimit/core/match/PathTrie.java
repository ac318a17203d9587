package io.ratelimit.core.match;

import io.ratelimit.rules.PathPattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    private static final class Node<T> {
        private final Map<String, Node<T>> literals = new HashMap<>();
        private @Nullable Node<T> anySegment;
        private @Nullable Node<T> anySegments;
        private boolean repeats;
        private final List<T> values = new ArrayList<>();

        private Node<T> childFor(String segment) {
            switch (segment) {
                case PathPattern.ANY_SEGMENT -> {
                    Node<T> child = anySegment;
                    if (child == null) {
                        child = new Node<>();
                        anySegment = child;
                    }
                    return child;
                }
                case PathPattern.ANY_SEGMENTS -> {
                    Node<T> child = anySegments;
                    if (child == null) {
                        child = new Node<>();
                        child.repeats = true;
                        anySegments = child;
                    }
                    return child;
                }
                default -> {
                    return literals.computeIfAbsent(segment, ignored -> new Node<>());
                }
            }
        }
    }

    private final Node<T> root = new Node<>();

    /** A tree of patterns that lead to themselves. */
    static PathTrie<PathPattern> of(List<PathPattern> patterns) {
        PathTrie<PathPattern> trie = new PathTrie<>();
        patterns.forEach(pattern -> trie.add(pattern, pattern));
        return trie;
    }

    void add(PathPattern pattern, T value) {
        Node<T> node = root;
        for (String segment : pattern.segments()) {
            node = node.childFor(segment);
        }
        node.values.add(value);
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
        List<Node<T>> active = new ArrayList<>();
        activate(root, active);
        for (String segment : segments) {
            List<Node<T>> next = new ArrayList<>();
            for (Node<T> node : active) {
                advance(node, segment, next);
            }
            active = next;
        }
        return active;
    }

    private static <T> void advance(Node<T> node, String segment, List<Node<T>> next) {
        Node<T> literal = node.literals.get(segment);
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
