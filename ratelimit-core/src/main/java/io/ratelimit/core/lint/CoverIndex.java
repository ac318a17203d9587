package io.ratelimit.core.lint;

import io.ratelimit.rules.AddressRange;
import io.ratelimit.rules.Condition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Finds conditions that cover others without comparing each with each: a condition is kept under one criterion, and a
 * condition that it covers must name a value of that criterion too. Used by one thread.
 *
 * @param <T> what the conditions lead to
 */
final class CoverIndex<T> {

    private record Entry<T>(int order, WideCondition condition, T value) {}

    /** A criterion with one of its values. */
    private record Value(String criterion, String value) {}

    private final PathIndex<Entry<T>> byPath = new PathIndex<>();
    private final Map<Value, List<Entry<T>>> byValue = new HashMap<>();
    private final Set<Integer> prefixLengths = new TreeSet<>();
    private final List<Entry<T>> others = new ArrayList<>();
    private int size;

    void add(Condition condition, T value) {
        Entry<T> entry = new Entry<>(size++, new WideCondition(condition), value);
        if (!condition.paths().isEmpty()) {
            condition.paths().forEach(path -> byPath.add(path, entry));
            return;
        }
        for (AddressRange range : condition.addresses()) {
            prefixLengths.add(range.prefixLength());
        }
        Set<Value> values = valuesOf(condition);
        values.forEach(one ->
                byValue.computeIfAbsent(one, ignored -> new ArrayList<>()).add(entry));
        if (values.isEmpty()) {
            others.add(entry);
        }
    }

    /** What the conditions lead to that cover every request that all the given ones hold for, in order. */
    Stream<T> allCovering(Condition... narrow) {
        return candidates(narrow).stream()
                .filter(entry -> entry.condition.covers(narrow))
                .sorted(Comparator.comparingInt(Entry::order))
                .map(Entry::value)
                .distinct();
    }

    /** The first of them. */
    Optional<T> covering(Condition... narrow) {
        return allCovering(narrow).findFirst();
    }

    private Collection<Entry<T>> candidates(Condition... narrow) {
        List<Entry<T>> found = new ArrayList<>(others);
        for (Condition condition : narrow) {
            if (!condition.paths().isEmpty()) {
                found.addAll(byPath.covering(condition.paths().get(0)));
            }
            for (Value value : lookedUp(condition)) {
                found.addAll(byValue.getOrDefault(value, List.of()));
            }
        }
        return found;
    }

    /** All values of the criterion that has the most to tell; none for a condition of methods alone. */
    private static Set<Value> valuesOf(Condition condition) {
        Set<Value> values = new HashSet<>();
        if (!condition.users().isEmpty()) {
            condition.users().forEach(user -> values.add(new Value("user", user)));
        } else if (!condition.operations().isEmpty()) {
            condition.operations().forEach(operation -> values.add(new Value("operation", operation)));
        } else if (!condition.attributes().isEmpty()) {
            Map.Entry<String, Set<String>> attribute =
                    condition.attributes().entrySet().iterator().next();
            attribute.getValue().forEach(text -> values.add(new Value("attribute " + attribute.getKey(), text)));
        } else {
            condition.addresses().forEach(range -> values.add(networkOf(range, range.prefixLength())));
        }
        return values;
    }

    /** One value of each criterion: whoever covers the condition has them all. */
    private Set<Value> lookedUp(Condition condition) {
        Set<Value> values = new HashSet<>();
        first(condition.users()).ifPresent(user -> values.add(new Value("user", user)));
        first(condition.operations()).ifPresent(operation -> values.add(new Value("operation", operation)));
        condition
                .attributes()
                .forEach((name, texts) ->
                        first(texts).ifPresent(text -> values.add(new Value("attribute " + name, text))));
        first(condition.addresses())
                .ifPresent(range -> prefixLengths.stream()
                        .filter(length -> length <= range.prefixLength())
                        .forEach(length -> values.add(networkOf(range, length))));
        return values;
    }

    private static <E> Optional<E> first(Collection<E> values) {
        return values.stream().findFirst();
    }

    private static Value networkOf(AddressRange range, int length) {
        byte[] bytes = range.network().getAddress();
        for (int bit = length; bit < bytes.length * Byte.SIZE; bit++) {
            bytes[bit / Byte.SIZE] &= (byte) ~(0x80 >> bit % Byte.SIZE);
        }
        return new Value("ip/" + length, Arrays.toString(bytes));
    }
}
