package io.ratelimit.server.envoy.descriptor;

import io.ratelimit.core.match.LimitedRule;
import io.ratelimit.rules.Rule;

/** Makes the limits of rules that stand in no rules file ready to be charged. */
@FunctionalInterface
public interface RuleLimits {

    /**
     * The limits of a rule.
     *
     * @param rule the rule, with limits
     * @param service whose rule it is; rules of different services never meet in a bucket
     * @param version orders the rules: buckets of a lower version are converted
     * @return the limits
     * @throws IllegalArgumentException if a limit cannot be counted; the message says why
     */
    LimitedRule limited(Rule rule, String service, long version);
}
