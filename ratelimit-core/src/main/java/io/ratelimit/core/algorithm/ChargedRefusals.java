package io.ratelimit.core.algorithm;

/**
 * A request that the limit refuses counts as if it had passed, so that a client must pause before it is admitted again.
 * No own words: the state is that of the inner algorithm.
 */
final class ChargedRefusals extends Decorator {

    /**
     * Charges what a limit refuses.
     *
     * @param inner what the limit counts with
     * @throws IllegalArgumentException if it counts requests that are under way, of which a refused one is none
     */
    public ChargedRefusals(LimitAlgorithm inner) {
        super(inner, 0);
        if (inner.countsInFlight()) {
            throw new IllegalArgumentException("chargeRefused does not go with concurrency: a refused request is never"
                    + " under way, so there is nothing to count");
        }
    }

    @Override
    public LimitAlgorithm forMore() {
        return new ChargedRefusals(inner().forMore());
    }

    @Override
    public long[] refuse(long[] state, Moment now, long cost) {
        return spendRefused(state, now, cost);
    }
}
