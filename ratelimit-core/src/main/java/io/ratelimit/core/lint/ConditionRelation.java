package io.ratelimit.core.lint;

import io.ratelimit.rules.AddressRange;
import io.ratelimit.rules.Condition;
import io.ratelimit.rules.PathPattern;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How the requests of one condition lie to those of others. Says yes only where it is sure. */
final class ConditionRelation {

    private ConditionRelation() {}

    /** Whether no request exists that both hold for. */
    static boolean areDisjoint(Condition one, Condition other) {
        return areDisjoint(countedMethods(one), countedMethods(other))
                || areDisjoint(one.operations(), other.operations())
                || areDisjoint(one.users(), other.users())
                || areDisjoint(one.addresses(), other.addresses(), ConditionRelation::overlap)
                || one.attributes().keySet().stream()
                        .anyMatch(name -> areDisjoint(valuesOf(one, name), valuesOf(other, name)))
                || pathsAreDisjoint(one, other);
    }

    private static boolean pathsAreDisjoint(Condition one, Condition other) {
        if (one.paths().isEmpty() || other.paths().isEmpty()) {
            return false;
        }
        PathIndex<PathPattern> index = indexOf(one.paths());
        return other.paths().stream().allMatch(path -> index.meeting(path).isEmpty());
    }

    private static boolean areDisjoint(Set<String> one, Set<String> other) {
        return !one.isEmpty() && !other.isEmpty() && Collections.disjoint(one, other);
    }

    private interface Overlap<T> {
        boolean test(T one, T other);
    }

    private static <T> boolean areDisjoint(List<T> one, List<T> other, Overlap<T> overlap) {
        return !one.isEmpty()
                && !other.isEmpty()
                && one.stream().noneMatch(mine -> other.stream().anyMatch(its -> overlap.test(mine, its)));
    }

    private static boolean overlap(AddressRange one, AddressRange other) {
        return contains(one, other) || contains(other, one);
    }

    static boolean contains(AddressRange wide, AddressRange narrow) {
        return wide.prefixLength() <= narrow.prefixLength() && wide.contains(narrow.network());
    }

    static Set<String> valuesOf(Condition condition, String attribute) {
        return condition.attributes().getOrDefault(attribute, Set.of());
    }

    /** {@code HEAD} counts as {@code GET}. */
    static Set<String> countedMethods(Condition condition) {
        return condition.methods().contains("HEAD")
                ? condition.methods().stream()
                        .map(method -> method.equals("HEAD") ? "GET" : method)
                        .collect(Collectors.toSet())
                : condition.methods();
    }

    static PathIndex<PathPattern> indexOf(List<PathPattern> paths) {
        PathIndex<PathPattern> index = new PathIndex<>();
        paths.forEach(path -> index.add(path, path));
        return index;
    }

    /**
     * A condition that holds only where both do, if one can be named. It may hold for fewer requests than both: of paths,
     * those that one of the two matches all of.
     */
    static Optional<Condition> both(Condition one, Condition other) {
        if (areDisjoint(one, other)) {
            return Optional.empty();
        }
        List<PathPattern> paths = narrower(one.paths(), other.paths(), ConditionRelation::coveredBy);
        if (paths.isEmpty() && !one.paths().isEmpty() && !other.paths().isEmpty()) {
            return Optional.empty();
        }
        Map<String, Set<String>> attributes = new HashMap<>(one.attributes());
        other.attributes().forEach((name, values) -> attributes.merge(name, values, ConditionRelation::common));
        return Optional.of(new Condition(
                paths,
                common(countedMethods(one), countedMethods(other)),
                common(one.operations(), other.operations()),
                common(one.users(), other.users()),
                narrower(one.addresses(), other.addresses(), ConditionRelation::containedIn),
                attributes));
    }

    private static Set<String> common(Set<String> one, Set<String> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? other : one;
        }
        return one.stream().filter(other::contains).collect(Collectors.toUnmodifiableSet());
    }

    private interface Within<T> {
        List<T> of(List<T> narrow, List<T> wide);
    }

    private static <T> List<T> narrower(List<T> one, List<T> other, Within<T> within) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? other : one;
        }
        return Stream.concat(within.of(one, other).stream(), within.of(other, one).stream())
                .distinct()
                .toList();
    }

    private static List<PathPattern> coveredBy(List<PathPattern> narrow, List<PathPattern> wide) {
        PathIndex<PathPattern> index = indexOf(wide);
        return narrow.stream().filter(path -> !index.covering(path).isEmpty()).toList();
    }

    private static List<AddressRange> containedIn(List<AddressRange> narrow, List<AddressRange> wide) {
        return narrow.stream()
                .filter(range -> wide.stream().anyMatch(other -> contains(other, range)))
                .toList();
    }

    /** The condition once for each of its paths; as it is where it names none. */
    static List<Condition> byPath(Condition condition) {
        return condition.paths().size() < 2
                ? List.of(condition)
                : condition.paths().stream()
                        .map(path -> condition.withPath(path))
                        .toList();
    }

    /** Whether a condition looks at nothing but path, method and operation, which any client may choose. */
    static boolean isForEverybody(Condition condition) {
        return condition.users().isEmpty()
                && condition.addresses().isEmpty()
                && condition.attributes().isEmpty();
    }
}
