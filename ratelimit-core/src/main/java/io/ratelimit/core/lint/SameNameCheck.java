package io.ratelimit.core.lint;

import io.ratelimit.rules.Rule;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** Finds rules that replace limits in the code by their name alone, though they match something else. */
final class SameNameCheck implements RulesCheck {

    @Override
    public void check(LintedRules rules, Findings findings) {
        Map<String, Rule> replaced = new HashMap<>();
        rules.replaced().forEach(rule -> replaced.put(rule.name(), rule));
        for (Rule filed : rules.set().rules()) {
            Rule coded = replaced.get(filed.name());
            if (coded != null
                    && Collections.disjoint(
                            filed.match().operations(), coded.match().operations())) {
                findings.warning(
                        LintedRules.place(filed),
                        LintedRules.place(filed) + " does not name operation "
                                + coded.match().operations()
                                + ", but has the name of its limits in the code, which therefore do not hold; rename the"
                                + " rule, or let it match the operation");
            }
        }
    }
}
