package io.ratelimit.core.lint;

import io.ratelimit.rules.Limit;
import io.ratelimit.rules.Rule;

/** Finds rules that refuse everybody, and not just those that a condition or an override singles out. */
final class BlockedRuleCheck implements RulesCheck {

    @Override
    public void check(LintedRules rules, Findings findings) {
        for (Rule rule : rules.inForce()) {
            boolean blocked = rule.limits().stream().anyMatch(Limit::isBlocked);
            boolean lifted = rule.overrides().stream()
                    .anyMatch(override -> override.limits().stream().noneMatch(Limit::isBlocked));
            if (blocked && !lifted && ConditionRelation.isForEverybody(rule.match())) {
                findings.note(
                        LintedRules.place(rule),
                        LintedRules.place(rule)
                                + " refuses every request that it matches, whoever sends it: its limit is"
                                + " 0, and no override sets another one");
            }
        }
    }
}
