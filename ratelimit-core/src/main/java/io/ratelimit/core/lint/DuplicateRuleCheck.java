package io.ratelimit.core.lint;

import io.ratelimit.rules.AddressRange;
import io.ratelimit.rules.Condition;
import io.ratelimit.rules.Key;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOverride;
import io.ratelimit.rules.Rule;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds rules that say the same under two names. */
final class DuplicateRuleCheck implements RulesCheck {

    /** What a condition says, whatever the order and the spelling of its wildcards. */
    private record Said(
            Set<List<String>> paths,
            Set<String> methods,
            Set<String> operations,
            Set<String> users,
            Set<AddressRange> addresses,
            Map<String, Set<String>> attributes) {

        static Said by(Condition condition) {
            return new Said(
                    condition.paths().stream().map(path -> path.segments()).collect(Collectors.toSet()),
                    ConditionRelation.countedMethods(condition),
                    condition.operations(),
                    condition.users(),
                    new HashSet<>(condition.addresses()),
                    condition.attributes());
        }
    }

    private record Same(Said match, Key key, Set<Limit> limits, List<LimitOverride> overrides) {}

    @Override
    public void check(LintedRules rules, Findings findings) {
        Map<Same, Rule> first = new HashMap<>();
        for (Rule rule : rules.inForce()) {
            Same same = new Same(Said.by(rule.match()), rule.key(), new HashSet<>(rule.limits()), rule.overrides());
            Rule earlier = first.putIfAbsent(same, rule);
            if (earlier != null && !rule.limits().isEmpty()) {
                findings.note(
                        LintedRules.place(rule),
                        LintedRules.place(rule) + " has the match, key and limits of " + LintedRules.place(earlier)
                                + "; both are enforced, each with buckets of its own");
            }
        }
    }
}
