package io.ratelimit.core.lint;

import io.ratelimit.rules.Limit;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.Sharing;

/** Finds rules that ask for shared buckets of an algorithm that measures one host. */
final class HostOnlyLimitCheck implements RulesCheck {

    @Override
    public void check(LintedRules rules, Findings findings) {
        for (Rule rule : rules.inForce()) {
            Sharing sharing = rule.store().sharing();
            if (sharing == null || sharing == Sharing.HOST) {
                continue;
            }
            for (Limit limit : rule.limits()) {
                if (!limit.isBlocked() && !limit.algorithm().isShareable()) {
                    findings.note(
                            LintedRules.place(rule),
                            LintedRules.place(rule) + ": limit '" + limit + "' counts on each host alone, whatever"
                                    + " 'sharing' says: " + limit.algorithm().word() + " measures one host");
                }
            }
        }
    }
}
