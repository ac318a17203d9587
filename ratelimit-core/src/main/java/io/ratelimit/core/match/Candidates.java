package io.ratelimit.core.match;

import io.ratelimit.RequestContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Conditions that may hold for a request, as far as its path and operation say, with the values that they lead to.
 * Immutable; safe for use by any thread.
 *
 * @param <T> what the conditions lead to
 */
final class Candidates<T> {

    /**
     * A condition.
     *
     * @param order its place among all
     * @param condition its criteria besides the path
     * @param value what it leads to
     * @param alone the value as a list, made once
     */
    record Entry<T>(int order, CompiledCondition condition, T value, List<T> alone) {

        Entry(int order, CompiledCondition condition, T value) {
            this(order, condition, value, List.of(value));
        }
    }

    private final List<Entry<T>> entries;

    private Candidates(List<Entry<T>> entries) {
        this.entries = entries;
    }

    /** Entries in their order, each once, however often it is given. */
    static <T> Candidates<T> of(Stream<Entry<T>> entries) {
        return new Candidates<>(
                entries.distinct().sorted(Comparator.comparingInt(Entry::order)).toList());
    }

    Candidates<T> with(List<Entry<T>> others) {
        return others.isEmpty() ? this : of(Stream.concat(entries.stream(), others.stream()));
    }

    /** The values whose conditions hold, in order. Makes a list only for several. */
    List<T> holding(RequestContext request) {
        List<T> holding = List.of();
        for (int i = 0; i < entries.size(); i++) {
            Entry<T> entry = entries.get(i);
            if (entry.condition.holdsBesidesPath(request)) {
                holding = holding.isEmpty() ? entry.alone : with(holding, entry.value);
            }
        }
        return holding;
    }

    private static <T> List<T> with(List<T> values, T another) {
        List<T> all = values instanceof ArrayList ? values : new ArrayList<>(values);
        all.add(another);
        return all;
    }

    /** The first value whose condition holds, or null. */
    @Nullable
    T first(RequestContext request) {
        for (int i = 0; i < entries.size(); i++) {
            Entry<T> entry = entries.get(i);
            if (entry.condition.holdsBesidesPath(request)) {
                return entry.value;
            }
        }
        return null;
    }
}
