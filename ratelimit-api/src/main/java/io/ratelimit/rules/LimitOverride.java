package io.ratelimit.rules;

import java.util.List;

/**
 * An exception to a rule: other limits for some requests. Its buckets are its own.
 *
 * @param when which requests it is for
 * @param limits the limits in place of the rule's; empty means unlimited
 */
public record LimitOverride(Condition when, List<Limit> limits) {

    /** Copies the limits. */
    public LimitOverride {
        limits = List.copyOf(limits);
    }
}
