package io.ratelimit.core.lint;

import io.ratelimit.rules.Condition;
import io.ratelimit.rules.Rule;
import java.util.Optional;

/** Finds overrides that are never chosen: another one always fits before them, or they fit nothing. */
final class OverrideCheck implements RulesCheck {

    @Override
    public void check(LintedRules rules, Findings findings) {
        rules.inForce().forEach(rule -> check(rule, findings));
    }

    private static void check(Rule rule, Findings findings) {
        CoverIndex<Integer> earlier = new CoverIndex<>();
        String place = LintedRules.place(rule);
        for (int i = 0; i < rule.overrides().size() && !findings.isFull(); i++) {
            Condition when = rule.overrides().get(i).when();
            Optional<Integer> before = earlier.covering(when, rule.match());
            if (ConditionRelation.areDisjoint(when, rule.match())) {
                findings.warning(
                        place,
                        place + ": overrides[" + i + "] is never chosen: no request that the rule matches fits it");
            } else if (before.isPresent()) {
                findings.warning(
                        place,
                        place + ": overrides[" + i + "] is never chosen: overrides[" + before.get()
                                + "] stands before it and fits every request that it fits; put it first, or remove it");
            }
            earlier.add(when, i);
        }
    }
}
