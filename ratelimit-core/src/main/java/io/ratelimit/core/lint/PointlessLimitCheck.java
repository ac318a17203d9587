package io.ratelimit.core.lint;

import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.LimitOverride;
import io.ratelimit.rules.Refill;
import io.ratelimit.rules.Rule;
import java.math.BigInteger;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Finds limits that another limit beside them makes pointless. In any time w a bucket of capacity b and rate r lets at
 * most b + r·w pass (Cruz, "A calculus for network delay", 1991), so that a bucket of at least that capacity and rate has
 * nothing left to refuse.
 */
final class PointlessLimitCheck implements RulesCheck {

    private static final Set<Algorithm> BUCKETS =
            EnumSet.of(Algorithm.TOKEN_BUCKET, Algorithm.GCRA, Algorithm.LEAKY_BUCKET);

    @Override
    public void check(LintedRules rules, Findings findings) {
        for (Rule rule : rules.inForce()) {
            check(rule, rule.limits(), findings);
            for (LimitOverride override : rule.overrides()) {
                check(rule, override.limits(), findings);
            }
        }
    }

    private static void check(Rule rule, List<Limit> limits, Findings findings) {
        for (int i = 0; i < limits.size(); i++) {
            for (int j = 0; j < limits.size(); j++) {
                Limit one = limits.get(i);
                Limit other = limits.get(j);
                boolean isKept = j < i || !isPointlessBeside(other, one);
                if (i != j && isKept && isPointlessBeside(one, other)) {
                    findings.warning(
                            LintedRules.place(rule),
                            LintedRules.place(rule) + ": limit '" + one + "' never refuses anything that '" + other
                                    + "' lets pass: it is as fast or faster and holds as much or more; remove it, or"
                                    + " make it tighter");
                    break;
                }
            }
        }
    }

    private static boolean isPointlessBeside(Limit loose, Limit tight) {
        return isBucket(loose)
                && isBucket(tight)
                && loose.options().equals(LimitOptions.NONE)
                && loose.capacity() >= tight.capacity()
                && perTime(loose, tight).compareTo(perTime(tight, loose)) >= 0;
    }

    private static boolean isBucket(Limit limit) {
        return !limit.isBlocked()
                && BUCKETS.contains(limit.algorithm())
                && limit.options().refill() == Refill.GREEDY;
    }

    /** The rate of one limit, in tokens per both periods. */
    private static BigInteger perTime(Limit limit, Limit other) {
        return BigInteger.valueOf(limit.tokens())
                .multiply(BigInteger.valueOf(other.period().toNanos()));
    }
}
