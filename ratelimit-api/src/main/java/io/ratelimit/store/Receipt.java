package io.ratelimit.store;

/**
 * Proof of a charge, good for refunds at the store that gave it. Stores have receipts of their own; nobody else looks
 * inside. Immutable.
 */
public interface Receipt {

    /**
     * Whether the charge was counted under such limits, and what was said of limits is of these: while hosts load new rules
     * one after the other, a store counts by the newest that any of them has.
     *
     * @param bucket the limits that were asked for
     * @return false if others are in force
     */
    default boolean isUnder(BucketSpec bucket) {
        return true;
    }
}
