package io.ratelimit.core.match;

import io.ratelimit.rules.Condition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds all values whose condition holds for a request, in the order in which they were added: by path where the
 * condition names one, otherwise by operation, so that the rest are few. Filled by one thread, then read by any number.
 *
 * @param <T> what the conditions lead to
 */
final class ConditionIndex<T> {

    private record Entry<T>(int order, CompiledCondition condition, T value) {}

    private static final Comparator<Entry<?>> BY_ORDER = Comparator.comparingInt(Entry::order);

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
    ConditionIndex(UnreadableRequests unreadable) {
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

    List<T> find(MatchedRequest request) {
        if (size == 0) {
            return List.of();
        }
        List<Entry<T>> candidates = new ArrayList<>(others);
        byPath.match(request.segments(), candidates::add);
        String operation = request.context().operation();
        if (operation != null) {
            candidates.addAll(byOperation.getOrDefault(operation, List.of()));
        }
        candidates.removeIf(entry -> !entry.condition.holdsBesidesPath(request));
        if (candidates.size() > 1) {
            candidates.sort(BY_ORDER);
        }
        List<T> found = new ArrayList<>(candidates.size());
        int last = -1;
        for (Entry<T> entry : candidates) {
            if (entry.order != last) {
                found.add(entry.value);
                last = entry.order;
            }
        }
        return found;
    }

    boolean isEmpty() {
        return size == 0;
    }
}
