package io.ratelimit.core.lint;

import io.ratelimit.rules.PathPattern;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Compares a pattern with many others at once. The others are a tree that is walked as a nondeterministic automaton,
 * with the pattern's own segments as its input. Used by one thread.
 *
 * @param <T> what the patterns lead to
 */
final class PathIndex<T> {

    private static final class Node<T> {
        private final Map<String, Node<T>> literals = new HashMap<>();
        private final boolean repeats;
        private @Nullable Node<T> anySegment;
        private @Nullable Node<T> anySegments;
        private @Nullable Set<T> values;

        Node(boolean repeats) {
            this.repeats = repeats;
        }

        Node<T> childFor(String segment) {
            if (segment.equals(PathPattern.ANY_SEGMENT)) {
                Node<T> child = anySegment == null ? new Node<>(false) : anySegment;
                anySegment = child;
                return child;
            }
            if (segment.equals(PathPattern.ANY_SEGMENTS)) {
                Node<T> child = anySegments == null ? new Node<>(true) : anySegments;
                anySegments = child;
                return child;
            }
            return literals.computeIfAbsent(segment, ignored -> new Node<>(false));
        }
    }

    private interface Step<T> {
        void advance(Node<T> node, String segment, Consumer<Node<T>> next);
    }

    private final Node<T> root = new Node<>(false);

    /** The same patterns from their ends. */
    private final Node<T> end = new Node<>(false);

    void add(PathPattern pattern, T value) {
        add(root, pattern.segments(), value);
        add(end, reversed(pattern.segments()), value);
    }

    private static <T> void add(Node<T> top, List<String> segments, T value) {
        Node<T> node = top;
        for (String segment : segments) {
            node = node.childFor(segment);
        }
        Set<T> values = node.values;
        if (values == null) {
            values = newSet();
            node.values = values;
        }
        values.add(value);
    }

    /**
     * The values whose pattern matches every path that the given one matches. Some may be missing where a {@code **} is
     * followed by other wildcards; none is there wrongly.
     */
    Set<T> covering(PathPattern pattern) {
        return walk(root, pattern.segments(), PathIndex::cover);
    }

    /** The values whose pattern matches a path that the given one matches too: all of them, and no others. */
    Set<T> meeting(PathPattern pattern) {
        List<String> segments = pattern.segments();
        List<String> backwards = reversed(segments);
        // A wildcard of any length reaches all that is below it: better few are left by then.
        return backwards.indexOf(PathPattern.ANY_SEGMENTS) > segments.indexOf(PathPattern.ANY_SEGMENTS)
                ? walk(end, backwards, PathIndex::meet)
                : walk(root, segments, PathIndex::meet);
    }

    private static List<String> reversed(List<String> segments) {
        List<String> backwards = new ArrayList<>(segments);
        Collections.reverse(backwards);
        return backwards;
    }

    /** Any number of segments is only covered by any number, and any segment by any. */
    private static <T> void cover(Node<T> node, String segment, Consumer<Node<T>> next) {
        if (node.repeats) {
            next.accept(node);
        }
        if (segment.equals(PathPattern.ANY_SEGMENTS)) {
            return;
        }
        acceptPresent(node.anySegment, next);
        if (!segment.equals(PathPattern.ANY_SEGMENT)) {
            acceptPresent(node.literals.get(segment), next);
        }
    }

    /** A wildcard of the input goes wherever some segment leads. */
    private static <T> void meet(Node<T> node, String segment, Consumer<Node<T>> next) {
        if (segment.equals(PathPattern.ANY_SEGMENTS)) {
            acceptAllBelow(node, next);
            return;
        }
        if (node.repeats) {
            next.accept(node);
        }
        acceptPresent(node.anySegment, next);
        if (segment.equals(PathPattern.ANY_SEGMENT)) {
            node.literals.values().forEach(next);
        } else {
            acceptPresent(node.literals.get(segment), next);
        }
    }

    private static <T> void acceptPresent(@Nullable Node<T> node, Consumer<Node<T>> next) {
        if (node != null) {
            next.accept(node);
        }
    }

    /** Not by recursion: a pattern may have more segments than the stack has room for. */
    private static <T> void acceptAllBelow(Node<T> top, Consumer<Node<T>> next) {
        List<Node<T>> open = new ArrayList<>(List.of(top));
        while (!open.isEmpty()) {
            Node<T> node = open.remove(open.size() - 1);
            next.accept(node);
            open.addAll(node.literals.values());
            acceptPresent(node.anySegment, open::add);
            acceptPresent(node.anySegments, open::add);
        }
    }

    private Set<T> walk(Node<T> top, List<String> segments, Step<T> step) {
        Set<Node<T>> active = newSet();
        activate(top, active);
        for (String segment : segments) {
            Set<Node<T>> next = newSet();
            active.forEach(node -> step.advance(node, segment, reached -> activate(reached, next)));
            active = next;
        }
        Set<T> found = newSet();
        for (Node<T> node : active) {
            if (node.values != null) {
                found.addAll(node.values);
            }
        }
        return found;
    }

    /** Adds a node and those behind it that need no further segment. */
    private static <T> void activate(Node<T> node, Set<Node<T>> active) {
        for (Node<T> other = node; other != null && active.add(other); other = other.anySegments) {
            // Each step adds.
        }
    }

    /** Entries are told apart as objects: two rules may well be equal. */
    private static <E> Set<E> newSet() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }
}
