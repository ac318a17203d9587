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
}
