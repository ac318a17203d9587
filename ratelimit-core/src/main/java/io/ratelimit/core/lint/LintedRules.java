package io.ratelimit.core.lint;

import io.ratelimit.rules.Identity;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RuleSet;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What the checks look at.
 *
 * @param set the rules of the source
 * @param declared rules of the application's code that hold beside them
 * @param replaced rules of the application's code that rules of the source replace
 * @param vouched whether somebody verifies the values of an identity
 */
record LintedRules(RuleSet set, List<Rule> declared, List<Rule> replaced, Predicate<Identity> vouched) {

    LintedRules {
        declared = List.copyOf(declared);
        replaced = List.copyOf(replaced);
    }

    /** All rules that are enforced, those of the source first. */
    List<Rule> inForce() {
        return Stream.concat(set.rules().stream(), declared.stream()).toList();
    }

    static String place(Rule rule) {
        return "rule '" + rule.name() + "'";
    }
}
