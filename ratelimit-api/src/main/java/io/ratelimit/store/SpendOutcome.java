package io.ratelimit.store;

import java.util.List;

/**
 * What became of the charges of one request.
 *
 * @param allowed whether they were all spent; otherwise none was
 * @param degraded whether {@code onFailure} answered for at least one charge
 * @param charges what became of each, in the order given
 */
public record SpendOutcome(boolean allowed, boolean degraded, List<ChargeOutcome> charges) {

    /** Copies the outcomes. */
    public SpendOutcome {
        charges = List.copyOf(charges);
    }
}
