package io.ratelimit.store;

import io.ratelimit.LimitState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of one charge.
 *
 * @param charge the charge
 * @param limits the state of each limit of the charge's bucket, in their order; empty where the buckets were not asked
 * @param receipt what a refund needs; null where nothing was spent
 */
public record ChargeOutcome(
        Charge charge, List<LimitState> limits, @Nullable Receipt receipt) {

    /** Copies the states. */
    public ChargeOutcome {
        limits = List.copyOf(limits);
    }

    /**
     * Whether all limits admitted the charge.
     *
     * @return true if none refused
     */
    public boolean admits() {
        for (LimitState limit : limits) {
            if (!limit.admits()) {
                return false;
            }
        }
        return true;
    }

    /**
     * The longest wait of its limits: of a charge that was made ahead of time, when its turn is.
     *
     * @return nanoseconds, at least 0; 0 where there is nothing to wait for, or no waiting can help
     */
    public long longestWaitNanos() {
        long longest = 0;
        for (LimitState limit : limits) {
            longest = Math.max(longest, limit.waitNanos());
        }
        return longest;
    }
}
