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
     */
    public ChargedRefusals(LimitAlgorithm inner) {
        super(inner, 0, 0);
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
