package io.ratelimit.core.lint;

import io.ratelimit.rules.Rule;
import java.util.List;
import java.util.Optional;

/** Finds rules that match only requests which are exempt. */
final class ExemptRuleCheck implements RulesCheck {

    @Override
    public void check(LintedRules rules, Findings findings) {
        CoverIndex<String> exempt = exemptOf(rules);
        for (Rule rule : rules.inForce()) {
            List<Optional<String>> freeing = ConditionRelation.byPath(rule.match()).stream()
                    .map(exempt::covering)
                    .toList();
            if (freeing.stream().allMatch(Optional::isPresent)) {
                String places = String.join(
                        " and ",
                        freeing.stream().flatMap(Optional::stream).distinct().toList());
                findings.warning(
                        LintedRules.place(rule),
                        LintedRules.place(rule) + " never applies: every request that it matches is exempt by " + places
                                + "; remove the rule, or narrow what is exempt");
            }
        }
    }

    /** What is exempt, leading to its place. */
    static CoverIndex<String> exemptOf(LintedRules rules) {
        CoverIndex<String> exempt = new CoverIndex<>();
        for (int i = 0; i < rules.set().exempt().size(); i++) {
            exempt.add(rules.set().exempt().get(i), "exempt[" + i + "]");
        }
        return exempt;
    }
}
