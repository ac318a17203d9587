package io.ratelimit.core.match;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A {@link PathTrie} made deterministic, state by state as paths come (the subset construction, done lazily as in
 * Thompson, "Regular Expression Search Algorithm", 1968): one look in a table for each segment of a path, and nothing
 * allocated once the states are there. States are made for what patterns can tell apart, not for what clients send, and
 * there is a bound to them: patterns exist that would need more than the memory holds, and paths beyond the bound are
 * walked in the tree. Thread-safe.
 *
 * @param <T> what the patterns lead to
 * @param <R> what is made of all that a path leads to
 */
final class PathAutomaton<T, R> {

    /** In places of tables, a few bytes each: so many that usual rules come to have all their states. */
    private static final int FEWEST_PLACES = 4_096;

    private static final int PLACES_PER_NODE = 32;

    private final PathTrie<T> trie;
    private final Function<List<T>, R> result;
    private final int mostPlaces;
    private final State start;

    /** Where segments lead to that there was no room for. */
    private final State noRoom;

    /** Under the monitor. */
    private final Map<List<PathTrie.Node<T>>, State> states = new HashMap<>();

    /** Under the monitor. */
    private int places;

    /** Where a path may be in the tree. */
    private final class State {
        private final List<PathTrie.Node<T>> nodes;
        private final R result;
        private final SegmentTable literals;

        /** By the literal's place; the last is that of all other segments. */
        private final AtomicReferenceArray<@Nullable State> next;

        State(List<PathTrie.Node<T>> nodes, R result, SegmentTable literals) {
            this.nodes = nodes;
            this.result = result;
            this.literals = literals;
            this.next = new AtomicReferenceArray<>(literals.places() + 1);
        }

        /** Whether nothing that follows changes anything. */
        boolean isLast() {
            return next.length() == 2 && next.getAcquire(1) == this;
        }
    }

    /**
     * Makes an automaton.
     *
     * @param trie the patterns, all of them
     * @param result what is made of the values of the patterns that a path matches: each as often as patterns lead to it
     */
    PathAutomaton(PathTrie<T> trie, Function<List<T>, R> result) {
        this(trie, result, FEWEST_PLACES + PLACES_PER_NODE * trie.size());
    }

    PathAutomaton(PathTrie<T> trie, Function<List<T>, R> result, int mostPlaces) {
        this.trie = trie;
        this.result = result;
        this.mostPlaces = mostPlaces;
        this.noRoom = new State(List.of(), result.apply(List.of()), new SegmentTable(List.of()));
        this.start = stateOf(trie.start());
    }

    /**
     * What a path leads to.
     *
     * @param path any text; empty segments do not count
     */
    R of(String path) {
        State state = start;
        int length = path.length();
        int from = 0;
        while (!state.isLast()) {
            while (from < length && path.charAt(from) == '/') {
                from++;
            }
            if (from == length) {
                break;
            }
            int hash = 0;
            int to = from;
            for (; to < length && path.charAt(to) != '/'; to++) {
                hash = 31 * hash + path.charAt(to);
            }
            int place = state.literals.find(hash, path, from, to);
            State next = state.next.getAcquire(place);
            next = next == null ? follow(state, place) : next;
            if (next == noRoom) {
                return walk(state, path.substring(from));
            }
            state = next;
            from = to;
        }
        return state.result;
    }

    private R walk(State from, String rest) {
        List<PathTrie.Node<T>> active = from.nodes;
        for (String segment : PathSegments.of(rest)) {
            active = trie.step(active, segment);
        }
        return result.apply(valuesOf(active));
    }

    private static <T> List<T> valuesOf(List<PathTrie.Node<T>> nodes) {
        List<T> values = new ArrayList<>();
        nodes.forEach(node -> values.addAll(node.values()));
        return values;
    }

    /** The state that a segment leads to. */
    private synchronized State follow(State state, int place) {
        String segment = place == state.literals.places() ? null : state.literals.at(place);
        List<PathTrie.Node<T>> nodes = trie.step(state.nodes, segment);
        nodes.sort(Comparator.comparingInt(PathTrie.Node::number));
        State next = states.get(nodes);
        if (next == null) {
            next = places < mostPlaces ? stateOf(nodes) : noRoom;
        }
        state.next.setRelease(place, next);
        return next;
    }

    private State stateOf(List<PathTrie.Node<T>> nodes) {
        Set<String> texts = new LinkedHashSet<>();
        nodes.forEach(node -> texts.addAll(node.literals()));
        List<T> values = valuesOf(nodes);
        State made = new State(nodes, result.apply(values), new SegmentTable(texts));
        places += made.next.length() + nodes.size() + values.size();
        states.put(nodes, made);
        return made;
    }
}
