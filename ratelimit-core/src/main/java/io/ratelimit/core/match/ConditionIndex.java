package io.ratelimit.core.match;

import io.ratelimit.RequestContext;
import io.ratelimit.core.match.Candidates.Entry;
import io.ratelimit.rules.Condition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds all values whose condition holds for a request, in the order in which they were added: by path where the
 * condition names one, otherwise by operation, so that the rest are few. Immutable; safe for use by any thread.
 *
 * @param <T> what the conditions lead to
 */
final class ConditionIndex<T> {

    private final PathAutomaton<Entry<T>, Candidates<T>> byPath;
    private final Map<String, List<Entry<T>>> byOperation;
    private final List<Entry<T>> others;
    private final int size;

    private ConditionIndex(Builder<T> builder) {
        this.byPath = new PathAutomaton<>(builder.byPath, Candidates::of);
        this.byOperation = Map.copyOf(builder.byOperation);
        this.others = List.copyOf(builder.others);
        this.size = builder.size;
    }

    /**
     * Collects conditions for an index. Used by one thread.
     *
     * @param <T> what the conditions lead to
     */
    static final class Builder<T> {

        private final PathTrie<Entry<T>> byPath = new PathTrie<>();
        private final Map<String, List<Entry<T>>> byOperation = new HashMap<>();
        private final List<Entry<T>> others = new ArrayList<>();
        private final UnreadableRequests unreadable;
        private int size;

        /**
         * Begins empty.
         *
         * @param unreadable hears of requests that a condition cannot be asked of
         */
        Builder(UnreadableRequests unreadable) {
            this.unreadable = unreadable;
        }

        /**
         * Adds a condition.
         *
         * @param place where it stands in the rules, for messages
         */
        void add(Condition condition, String place, T value) {
            Entry<T> entry = new Entry<>(size++, new CompiledCondition(condition, place, unreadable), value);
            if (!condition.paths().isEmpty()) {
                condition.paths().forEach(path -> byPath.add(path, entry));
            } else if (condition.namesOperation()) {
                condition
                        .operations()
                        .forEach(operation -> byOperation
                                .computeIfAbsent(operation, ignored -> new ArrayList<>())
                                .add(entry));
            } else {
                others.add(entry);
            }
        }

        ConditionIndex<T> build() {
            return new ConditionIndex<>(this);
        }
    }

    /** All values whose conditions hold, in the order in which they were added. */
    List<T> find(RequestContext request) {
        return size == 0 ? List.of() : byPath.of(request.path()).holding(request, ofOperation(request), others);
    }

    /** The value that was added first of those whose conditions hold, or null. */
    @Nullable
    T findFirst(RequestContext request) {
        if (size == 0) {
            return null;
        }
        if (others.isEmpty() && byOperation.isEmpty()) {
            return byPath.of(request.path()).first(request);
        }
        List<T> found = find(request);
        return found.isEmpty() ? null : found.get(0);
    }

    private List<Entry<T>> ofOperation(RequestContext request) {
        String operation = byOperation.isEmpty() ? null : request.operation();
        return operation == null ? List.of() : byOperation.getOrDefault(operation, List.of());
    }
}
