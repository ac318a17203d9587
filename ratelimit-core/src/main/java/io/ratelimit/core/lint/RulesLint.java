package io.ratelimit.core.lint;

import io.ratelimit.rules.Identity;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RuleSet;
import java.util.List;
import java.util.function.Predicate;

/**
 * Looks for what is likely a mistake in rules that are valid. Answers conservatively: it says nothing where it is not
 * sure, and refuses nothing. Takes well under 2 s for 10,000 rules. Immutable and thread-safe.
 */
public final class RulesLint {

    private static final List<RulesCheck> CHECKS = List.of(
            new SameNameCheck(),
            new UnsentRequestCheck(),
            new ExemptRuleCheck(),
            new OverrideCheck(),
            new HiddenCostCheck(),
            new UnpayableCostCheck(),
            new BlockedRuleCheck(),
            new PointlessLimitCheck(),
            new SpacingCheck(),
            new TrustedProxiesCheck(),
            new InventedIdentityCheck(),
            new DuplicateRuleCheck());

    private final Predicate<Identity> vouched;

    /** Makes a lint for applications that verify no header and no cookie. */
    public RulesLint() {
        this(identity -> false);
    }

    /**
     * Makes a lint.
     *
     * @param vouched whether the application verifies the values of an identity, so that clients cannot invent them;
     *     asked of headers and cookies, by any thread
     */
    public RulesLint(Predicate<Identity> vouched) {
        this.vouched = vouched;
    }

    /**
     * Looks at the rules of a source alone.
     *
     * @param rules the rules
     * @return what was found, the first 1,000 at most; empty where nothing looks like a mistake
     */
    public List<LintFinding> check(RuleSet rules) {
        return check(rules, List.of(), List.of());
    }

    /**
     * Looks at the rules of a source and those of the application's code.
     *
     * @param rules the rules of the source
     * @param declared rules of the code that hold beside them
     * @param replaced rules of the code that do not hold, because a rule of the source has their name or names their
     *     operation
     * @return what was found, the first 1,000 at most; empty where nothing looks like a mistake
     */
    public List<LintFinding> check(RuleSet rules, List<Rule> declared, List<Rule> replaced) {
        LintedRules linted = new LintedRules(rules, declared, replaced, vouched);
        Findings findings = new Findings();
        CHECKS.forEach(check -> check.check(linted, findings));
        return findings.list();
    }

    /**
     * Looks only for rules of a source that replace rules of the code by their name, though they match something else.
     *
     * @param rules the rules of the source
     * @param replaced rules of the code that rules of the source replace
     * @return what was found
     */
    public List<LintFinding> checkNames(RuleSet rules, List<Rule> replaced) {
        Findings findings = new Findings();
        new SameNameCheck().check(new LintedRules(rules, List.of(), replaced, vouched), findings);
        return findings.list();
    }
}
