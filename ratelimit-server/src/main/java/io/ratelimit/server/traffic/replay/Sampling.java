package io.ratelimit.server.traffic.replay;

import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Identity;
import io.ratelimit.rules.Key;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOverride;
import io.ratelimit.rules.Rule;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which rules can be judged by a sample of the clients.
 *
 * @param clients how hosts told the clients apart of whom they recorded a share
 * @param leastShare the smallest share, above 0, at most 1
 */
record Sampling(List<Identity> clients, double leastShare) {

    /** A request that stands for many is charged for them at once, which a bucket must hold several times. */
    private static final int LEAST_STEPS = 10;

    /**
     * How much of what fills a rule's buckets was recorded.
     *
     * @param ruleClients how the rule's set tells clients apart
     */
    Basis of(Rule rule, List<Identity> ruleClients) {
        if (leastShare >= 1) {
            return Basis.WHOLE;
        }
        if (rule.key() instanceof Key.Service) {
            return limits(rule).allMatch(this::canBeWeighted) ? Basis.WEIGHTED : Basis.NONE;
        }
        return isOneClients(rule.key(), ruleClients) ? Basis.WHOLE : Basis.PARTIAL;
    }

    /** Whether all who share a bucket are one client, which is in the sample or not. */
    private boolean isOneClients(Key key, List<Identity> ruleClients) {
        if (key instanceof Key.Composite composite) {
            return !clients.isEmpty() && composite.parts().contains(clients.get(0));
        }
        return key instanceof Key.FirstPresent first
                ? first.alternatives().equals(clients)
                : ruleClients.equals(clients);
    }

    private boolean canBeWeighted(Limit limit) {
        return limit.algorithm() != Algorithm.CONCURRENCY
                && (limit.capacity() == 0 || limit.capacity() >= LEAST_STEPS / leastShare);
    }

    private static Stream<Limit> limits(Rule rule) {
        return Stream.concat(
                rule.limits().stream(),
                rule.overrides().stream().map(LimitOverride::limits).flatMap(List::stream));
    }
}
