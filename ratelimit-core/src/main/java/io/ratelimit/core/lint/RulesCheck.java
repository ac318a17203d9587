package io.ratelimit.core.lint;

/**
 * Looks for one kind of mistake. Answers conservatively: what is not sure is not found. Its time grows with the number of
 * rules and findings, not with the number of pairs of rules.
 */
interface RulesCheck {

    /** Adds a finding for each mistake, and may stop once the findings are {@linkplain Findings#isFull full}. */
    void check(LintedRules rules, Findings findings);
}
