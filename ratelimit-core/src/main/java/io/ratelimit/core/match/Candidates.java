package io.ratelimit.core.match;

import io.ratelimit.RequestContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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

    /** Entries in any order, some of them several times. */
    static <T> Candidates<T> of(List<Entry<T>> entries) {
        if (entries.size() < 2) {
            return new Candidates<>(List.copyOf(entries));
        }
        List<Entry<T>> ordered = new ArrayList<>(entries);
        ordered.sort(Comparator.comparingInt(Entry::order));
        List<Entry<T>> once = new ArrayList<>(ordered.size());
        int last = -1;
        for (Entry<T> entry : ordered) {
            if (entry.order != last) {
                once.add(entry);
                last = entry.order;
            }
        }
        return new Candidates<>(List.copyOf(once));
    }

    /**
     * The values whose conditions hold, in order. Makes a list only for several.
     *
     * @param some more candidates, in order
     * @param others more of them, in order; no candidate is in two places
     */
    List<T> holding(RequestContext request, List<Entry<T>> some, List<Entry<T>> others) {
        List<T> holding = List.of();
        int own = 0;
        int one = 0;
        int other = 0;
        while (true) {
            int first = Math.min(orderAt(entries, own), Math.min(orderAt(some, one), orderAt(others, other)));
            Entry<T> next;
            if (first == Integer.MAX_VALUE) {
                return holding;
            } else if (first == orderAt(entries, own)) {
                next = entries.get(own++);
            } else if (first == orderAt(some, one)) {
                next = some.get(one++);
            } else {
                next = others.get(other++);
            }
            if (next.condition.holdsBesidesPath(request)) {
                holding = holding.isEmpty() ? next.alone : with(holding, next.value);
            }
        }
    }

    private static int orderAt(List<? extends Entry<?>> entries, int index) {
        return index < entries.size() ? entries.get(index).order() : Integer.MAX_VALUE;
    }

    private static <T> List<T> with(List<T> values, T another) {
        List<T> all = values instanceof ArrayList ? values : new ArrayList<>(values);
        all.add(another);
        return all;
    }

    /** The first of these values whose condition holds, or null. */
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
