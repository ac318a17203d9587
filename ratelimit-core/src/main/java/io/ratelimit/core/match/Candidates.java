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

    /**
     * The values whose conditions hold, in order. Makes a list only for several.
     *
     * @param others more candidates, in order, none of which is here already
     */
    List<T> holding(RequestContext request, List<Entry<T>> others) {
        List<T> holding = List.of();
        int own = 0;
        int other = 0;
        while (own < entries.size() || other < others.size()) {
            boolean isOwn = other == others.size()
                    || (own < entries.size() && entries.get(own).order < others.get(other).order);
            Entry<T> next = isOwn ? entries.get(own++) : others.get(other++);
            if (next.condition.holdsBesidesPath(request)) {
                holding = holding.isEmpty() ? next.alone : with(holding, next.value);
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
    T first(RequestContext request, List<Entry<T>> others) {
        if (!others.isEmpty()) {
            List<T> holding = holding(request, others);
            return holding.isEmpty() ? null : holding.get(0);
        }
        for (int i = 0; i < entries.size(); i++) {
            Entry<T> entry = entries.get(i);
            if (entry.condition.holdsBesidesPath(request)) {
                return entry.value;
            }
        }
        return null;
    }
}
