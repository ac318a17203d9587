package io.ratelimit.core.match;

import io.ratelimit.core.explain.RuleExplanation;
import org.jspecify.annotations.Nullable;

/**
 * What a rule makes of a request, before its buckets were asked.
 *
 * @param explanation whether it applies and why
 * @param charge what the request is to be charged; null where the rule does not apply, and where it is unlimited
 */
public record ExplainedRule(
        RuleExplanation explanation, @Nullable RuleCharge charge) {}
