package io.ratelimit.core.lint;

import io.ratelimit.rules.Condition;
import io.ratelimit.rules.PathPattern;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A condition that others are held against. Used by one thread. */
final class WideCondition {

    private final Condition condition;

    /** Made when first asked for. */
    private @Nullable PathIndex<PathPattern> paths;

    WideCondition(Condition condition) {
        this.condition = condition;
    }

    /** Whether this one surely holds for every request that all the given ones hold for. */
    boolean covers(Condition... narrow) {
        List<Condition> all = Arrays.asList(narrow);
        return coversValues(all, ConditionRelation::countedMethods)
                && coversValues(all, Condition::operations)
                && coversValues(all, Condition::users)
                && condition.attributes().keySet().stream()
                        .allMatch(name -> coversValues(all, one -> ConditionRelation.valuesOf(one, name)))
                && (condition.addresses().isEmpty() || all.stream().anyMatch(this::coversAddresses))
                && (condition.paths().isEmpty() || all.stream().anyMatch(this::coversPaths));
    }

    private boolean coversValues(List<Condition> all, Function<Condition, Set<String>> criterion) {
        Set<String> values = criterion.apply(condition);
        return values.isEmpty()
                || all.stream().map(criterion).anyMatch(narrow -> !narrow.isEmpty() && values.containsAll(narrow));
    }

    private boolean coversAddresses(Condition narrow) {
        return !narrow.addresses().isEmpty()
                && narrow.addresses().stream()
                        .allMatch(range -> condition.addresses().stream()
                                .anyMatch(other -> ConditionRelation.contains(other, range)));
    }

    private boolean coversPaths(Condition narrow) {
        PathIndex<PathPattern> index = paths;
        if (index == null) {
            index = ConditionRelation.indexOf(condition.paths());
            paths = index;
        }
        PathIndex<PathPattern> known = index;
        return !narrow.paths().isEmpty()
                && narrow.paths().stream()
                        .noneMatch(path -> known.covering(path).isEmpty());
    }
}
