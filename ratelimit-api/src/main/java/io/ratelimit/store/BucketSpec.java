package io.ratelimit.store;

import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import java.util.List;

/**
 * What the buckets of a rule are made from. A client has one bucket for each limit, under one name; buckets of the same
 * name stay one bucket when rules are reloaded. A rule's specs are made once for each rule set and compared by
 * reference first, so keep and reuse them.
 *
 * @param service the service whose rules these are; services that share a store never meet in a bucket
 * @param name the rule's name; followed by {@code /} and the override where an override sets the limits
 * @param version the rule set's version: state written under a lower version is converted to these limits, state
 *     written under a higher one is left under its own; of one version, the tighter limits count
 * @param limits at least one limit
 * @param policy how the shared store is used; nothing in it is null
 */
public record BucketSpec(String service, String name, long version, List<Limit> limits, StorePolicy policy) {

    /**
     * Copies the limits and fills what the policy leaves open.
     *
     * @throws IllegalArgumentException if there is no limit
     */
    public BucketSpec {
        limits = List.copyOf(limits);
        policy = policy.orElse(StorePolicy.BUILT_IN);
        if (limits.isEmpty()) {
            throw new IllegalArgumentException("a bucket needs at least one limit");
        }
    }
}
