package io.ratelimit.rules;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a rule uses the shared store. What is null is left to the next policy in line: the rule's, the host's, the rule
 * set's, {@link #BUILT_IN}.
 *
 * @param sharing how hosts share buckets
 * @param onFailure what answers if the store does not
 * @param storeTimeout how long the store may take, positive
 */
public record StorePolicy(
        @Nullable Sharing sharing,
        @Nullable OnFailure onFailure,
        @Nullable Duration storeTimeout) {

    /** Leaves everything to the next policy in line. */
    public static final StorePolicy UNSET = new StorePolicy(null, null, null);

    /** What holds where nothing is said. */
    public static final StorePolicy BUILT_IN = new StorePolicy(Sharing.EXACT, OnFailure.LOCAL, Duration.ofMillis(20));

    /**
     * Checks the timeout.
     *
     * @throws IllegalArgumentException if the timeout is zero or negative
     */
    public StorePolicy {
        if (storeTimeout != null && (storeTimeout.isZero() || storeTimeout.isNegative())) {
            throw new IllegalArgumentException("storeTimeout must be longer than 0, not " + storeTimeout);
        }
    }

    /**
     * Fills what is unset here from another policy.
     *
     * @param next the policy that is asked next
     * @return the merged policy
     */
    public StorePolicy orElse(StorePolicy next) {
        return new StorePolicy(
                sharing == null ? next.sharing : sharing,
                onFailure == null ? next.onFailure : onFailure,
                storeTimeout == null ? next.storeTimeout : storeTimeout);
    }
}
