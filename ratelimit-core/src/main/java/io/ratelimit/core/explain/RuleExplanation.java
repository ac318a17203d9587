package io.ratelimit.core.explain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one rule makes of a request.
 *
 * @param rule the rule's name
 * @param applies whether the request meets the rule's limits
 * @param lacksKey whether the request matches the rule and would meet its limits, but does not hold what the rule tells
 *     clients apart by, so that the rule does not apply
 * @param reason why it applies or does not
 * @param overrides for each override that was looked at why it was chosen or not, in order; what stands behind the chosen
 *     one is not looked at
 * @param key what tells the client apart, and what is missing of it; values of headers, cookies, bearer credentials and
 *     attributes are hidden. Null where the rule does not match
 * @param cost what the request costs and who says so, such as {@code 10 (costs[0])}; null where the rule does not apply
 * @param limits the limits as they stand; empty where the rule does not apply, and where no bucket answered
 * @param note what else is to be said of the limits, or null
 */
public record RuleExplanation(
        String rule,
        boolean applies,
        boolean lacksKey,
        String reason,
        List<String> overrides,
        @Nullable String key,
        @Nullable String cost,
        List<LimitExplanation> limits,
        @Nullable String note) {

    /** Copies the lists. */
    public RuleExplanation {
        overrides = List.copyOf(overrides);
        limits = List.copyOf(limits);
    }

    /**
     * The same rule with what its buckets say.
     *
     * @param states the limits as they stand
     * @param remark what else is to be said of them, or null
     * @return the explanation
     */
    public RuleExplanation with(List<LimitExplanation> states, @Nullable String remark) {
        return new RuleExplanation(rule, applies, lacksKey, reason, overrides, key, cost, states, remark);
    }

    /** A few lines, the first of which names the rule. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("rule " + rule + ": ");
        text.append(applies ? "applies (" : "does not apply (").append(reason).append(").");
        if (key != null) {
            text.append(" key: ").append(key).append('.');
        }
        if (cost != null) {
            text.append(" cost ").append(cost).append('.');
        }
        overrides.forEach(override -> text.append("\n  ").append(override));
        limits.forEach(limit -> text.append("\n  ").append(limit));
        if (note != null) {
            text.append("\n  ").append(note);
        }
        return text.toString();
    }
}
