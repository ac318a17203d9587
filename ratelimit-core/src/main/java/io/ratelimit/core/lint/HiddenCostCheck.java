package io.ratelimit.core.lint;

import io.ratelimit.rules.Condition;
import io.ratelimit.rules.OperationCost;
import io.ratelimit.rules.PathPattern;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds costs that never count, because an earlier entry for the same path holds whenever they do. A pattern that covers
 * another one is less specific, so that entries for other paths hide nothing.
 */
final class HiddenCostCheck implements RulesCheck {

    private static final List<String> EVERYWHERE = List.of(PathPattern.ANY_SEGMENTS);

    @Override
    public void check(LintedRules rules, Findings findings) {
        Map<List<String>, CoverIndex<Integer>> earlier = new HashMap<>();
        List<OperationCost> costs = rules.set().costs();
        for (int i = 0; i < costs.size(); i++) {
            List<Condition> parts = ConditionRelation.byPath(costs.get(i).match());
            List<Optional<Integer>> hiding = parts.stream()
                    .map(part -> at(part, earlier).covering(withoutPath(part)))
                    .toList();
            if (hiding.stream().allMatch(Optional::isPresent)) {
                String place = "costs[" + i + "]";
                findings.warning(
                        place,
                        place + " never counts: costs[" + hiding.get(0).orElseThrow()
                                + "] stands before it, for the same path, and holds for every request that it holds for;"
                                + " put it first, or remove it");
            }
            for (Condition part : parts) {
                at(part, earlier).add(withoutPath(part), i);
            }
        }
    }

    private static CoverIndex<Integer> at(Condition part, Map<List<String>, CoverIndex<Integer>> byPath) {
        List<String> path =
                part.paths().isEmpty() ? EVERYWHERE : part.paths().get(0).segments();
        return byPath.computeIfAbsent(path, ignored -> new CoverIndex<>());
    }

    private static Condition withoutPath(Condition part) {
        return new Condition(
                List.of(), part.methods(), part.operations(), part.users(), part.addresses(), part.attributes());
    }
}
