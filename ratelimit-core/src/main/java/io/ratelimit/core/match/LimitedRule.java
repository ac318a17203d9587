package io.ratelimit.core.match;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Charging;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.OnExceeded;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import java.util.List;

/**
 * A rule with the limits that it, or one of its overrides, sets for a request.
 *
 * @param rule the rule
 * @param bucket the buckets of these limits
 * @param policies each limit's name towards clients: the rule's name, followed by {@code :} and the period where there
 *     are several limits, and by the algorithm where several have one period
 */
public record LimitedRule(Rule rule, BucketSpec bucket, List<String> policies) {

    /** Copies the names. */
    public LimitedRule {
        policies = List.copyOf(policies);
    }

    /**
     * Whether somebody must say how a request went.
     *
     * @return true if the rule charges by the response, or a limit counts requests that are under way
     */
    public boolean mustBeSettled() {
        return !(rule.charging() instanceof Charging.OnRequest) || countsUnderWay();
    }

    /**
     * Whether a limit counts requests that are under way.
     *
     * @return true if one does
     */
    public boolean countsUnderWay() {
        return bucket.limits().stream().anyMatch(limit -> limit.algorithm() == Algorithm.CONCURRENCY);
    }

    /**
     * Whether a request that was answered so pays.
     *
     * @param status the response's HTTP status
     * @return false if what was reserved is to be given back
     */
    public boolean isChargedFor(int status) {
        return rule.charging().isChargedFor(status);
    }

    /**
     * Charges a client.
     *
     * @param client whose buckets
     * @param cost tokens, at least 0
     * @return a binding charge, or one without a say where the rule is a shadow rule
     */
    public RuleCharge charge(ClientIdentifier client, long cost) {
        return new RuleCharge(this, new Charge(client, bucket, cost).as(chargeKind(rule)));
    }

    /**
     * The same rule with buckets of another name: for limits of which several go by one name.
     *
     * @param name the name of the buckets
     * @return the rule, which shares no bucket with this one
     */
    public LimitedRule inBuckets(String name) {
        BucketSpec renamed = new BucketSpec(bucket.service(), name, bucket.version(), bucket.limits(), bucket.policy());
        return new LimitedRule(rule, renamed, policies);
    }

    static Charge.Kind chargeKind(Rule rule) {
        return rule.onExceeded().action() == OnExceeded.Action.SHADOW ? Charge.Kind.SHADOW : Charge.Kind.BINDING;
    }

    /**
     * A rule that stands in no rules file, as a host without settings of its own limits it.
     *
     * @param rule the rule, with limits
     * @param service whose rule it is
     * @param version when the rule was made, in milliseconds
     * @return the rule, ready to be charged
     * @throws IllegalArgumentException if a limit is beyond exact arithmetic, or does not go with the rule
     */
    public static LimitedRule ofHostWithoutSettings(Rule rule, String service, long version) {
        return CompiledRule.limited(rule, service, version, StorePolicy.BUILT_IN)
                .orElseThrow(() -> new IllegalArgumentException("the rule has no limit"));
    }

    static LimitedRule of(Rule rule, BucketSpec bucket) {
        List<Limit> limits = bucket.limits();
        List<String> policies = limits.size() == 1
                ? List.of(rule.name())
                : limits.stream().map(limit -> policyOf(rule, limit, limits)).toList();
        return new LimitedRule(rule, bucket, policies);
    }

    /** Limits of one period are told apart by how they count. */
    private static String policyOf(Rule rule, Limit limit, List<Limit> limits) {
        String policy = rule.name() + ":" + limit.periodText();
        long ofThisPeriod = limits.stream()
                .filter(other -> other.period().equals(limit.period()))
                .count();
        return ofThisPeriod == 1 ? policy : policy + ":" + limit.algorithm().word();
    }
}
