package io.ratelimit.server.envoy.descriptor;

import io.ratelimit.core.match.LimitedRule;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The {@code rate_limit} of a descriptor.
 *
 * @param name what the file calls it, or null
 * @param replaces the names of the limits that it stands in for where both apply to a request
 * @param quota how much, or null for unlimited
 */
public record DescriptorLimit(
        @Nullable String name,
        Set<String> replaces,
        @Nullable Quota quota) {

    /**
     * How much passes.
     *
     * @param requestsPerUnit requests in a unit, 0 for none
     * @param unit the unit
     * @param rule the rule that counts them
     */
    public record Quota(long requestsPerUnit, LimitUnit unit, LimitedRule rule) {}

    /** Copies the names. */
    public DescriptorLimit {
        replaces = Set.copyOf(replaces);
    }
}
