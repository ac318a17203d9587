package io.ratelimit.core.match;

import io.ratelimit.rules.Limit;
import io.ratelimit.rules.Rule;
import io.ratelimit.store.BucketSpec;
import java.util.List;

/**
 * A rule with the limits that it, or one of its overrides, sets for a request.
 *
 * @param rule the rule
 * @param bucket the buckets of these limits
 * @param policies each limit's name towards clients: the rule's name, followed by {@code :} and the period where there
 *     are several limits
 */
public record LimitedRule(Rule rule, BucketSpec bucket, List<String> policies) {

    /** Copies the names. */
    public LimitedRule {
        policies = List.copyOf(policies);
    }

    static LimitedRule of(Rule rule, BucketSpec bucket) {
        List<Limit> limits = bucket.limits();
        List<String> policies = limits.size() == 1
                ? List.of(rule.name())
                : limits.stream()
                        .map(limit -> rule.name() + ":" + limit.periodText())
                        .toList();
        return new LimitedRule(rule, bucket, policies);
    }
}
