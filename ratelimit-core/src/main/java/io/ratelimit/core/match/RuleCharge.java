package io.ratelimit.core.match;

import io.ratelimit.store.Charge;

/**
 * What a request is charged under a rule.
 *
 * @param rule the rule, with the limits for this request
 * @param charge the client's charge
 */
public record RuleCharge(LimitedRule rule, Charge charge) {}
