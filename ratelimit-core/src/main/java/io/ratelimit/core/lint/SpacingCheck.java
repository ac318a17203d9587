package io.ratelimit.core.lint;

import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOverride;
import io.ratelimit.rules.Rule;
import java.math.BigInteger;
import java.util.List;
import java.util.stream.Stream;

/** Finds limits whose tokens nobody can use up, since requests have to keep a distance. */
final class SpacingCheck implements RulesCheck {

    @Override
    public void check(LintedRules rules, Findings findings) {
        boolean oneTokenEach =
                rules.set().costs().stream().allMatch(entry -> entry.resolver() == null && entry.cost() <= 1);
        if (!oneTokenEach) {
            return;
        }
        for (Rule rule : rules.inForce()) {
            Stream.concat(
                            rule.limits().stream(),
                            rule.overrides().stream().map(LimitOverride::limits).flatMap(List::stream))
                    .filter(SpacingCheck::isUnreachable)
                    .forEach(limit -> report(rule, limit, findings));
        }
    }

    private static void report(Rule rule, Limit limit, Findings findings) {
        long requests = Math.max(1, limit.period().dividedBy(limit.options().minInterval()));
        findings.note(
                LintedRules.place(rule),
                LintedRules.place(rule) + ": limit '" + limit
                        + "' has more tokens than can be used: with a minInterval of "
                        + limit.options().minInterval() + ", " + requests
                        + " requests pass in a period, and each costs one"
                        + " token unless the application says otherwise");
    }

    private static boolean isUnreachable(Limit limit) {
        return !limit.options().minInterval().isZero()
                && !limit.period().isZero()
                && BigInteger.valueOf(limit.tokens())
                                .multiply(BigInteger.valueOf(
                                        limit.options().minInterval().toNanos()))
                                .compareTo(BigInteger.valueOf(limit.period().toNanos()))
                        > 0
                && limit.tokens() > 1;
    }
}
