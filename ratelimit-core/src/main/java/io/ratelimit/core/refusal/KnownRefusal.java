package io.ratelimit.core.refusal;

import io.ratelimit.LimitState;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import java.util.List;

/**
 * What a shared store has refused, and to whom. Immutable.
 *
 * @param client the fingerprint of the client who was refused
 * @param charge the charge that was refused; good for others of the same buckets and cost
 * @param refusal what its limits said
 * @param request what the store said of all charges of the request
 */
record KnownRefusal(long client, Charge charge, Refusal refusal, List<ChargeOutcome> request) {

    boolean isOf(long other, Charge asked) {
        return client == other
                && charge.cost() == asked.cost()
                && charge.bucket().equals(asked.bucket());
    }

    /**
     * What the limits of another charge of the same request say now, as far as it is known.
     *
     * @return their states; empty where they were not asked, or refused something that they may admit by now
     */
    List<LimitState> limitsOf(Charge asked, long nanos) {
        for (ChargeOutcome outcome : request) {
            if (outcome.charge().equals(asked) && outcome.admits()) {
                return refusal.later(outcome.limits(), nanos);
            }
        }
        return List.of();
    }
}
